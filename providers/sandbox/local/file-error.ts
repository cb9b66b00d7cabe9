import { SandboxFileError } from '../index.ts'

const texts = {
  absent: 'File not found',
  folder: 'Path is a folder',
  special: 'Not a regular file',
  tooLarge: 'File is too large',
  refused: 'File cannot be opened',
}

export type FileFault = keyof typeof texts

export function fileError(fault: FileFault): SandboxFileError {
  return new SandboxFileError(texts[fault], { isTooLarge: fault === 'tooLarge' })
}
