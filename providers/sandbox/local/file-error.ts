import { SandboxFileError } from '../index.ts'

const texts = {
  absent: 'File not found',
  folder: 'Path is a folder',
  special: 'Not a regular file',
  tooLarge: 'File is too large',
  refused: 'File cannot be opened',
}

export type FileErrorCode = keyof typeof texts

export function fileError(code: FileErrorCode): SandboxFileError {
  return new SandboxFileError(texts[code], { isTooLarge: code === 'tooLarge' })
}
