import { z } from 'zod'
import { GlobError } from '../../domain/tools/glob.ts'
import { RegexError } from '../../domain/tools/regex-error.ts'
import { InvalidUtf8Error } from '../../domain/tools/text-files.ts'
import { SandboxFileError, SandboxSearchError, type Sandbox } from '../../providers/sandbox/index.ts'

/** Maximum size of a file that the worker reads completely. */
export const fileBytes = 20 * 1024 * 1024

export const filePath = z.string().min(1).describe('Path, relative to the working directory')

const inputErrors = [InvalidUtf8Error, GlobError, RegexError, SandboxFileError, SandboxSearchError]

/** Converts an error of a path or pattern to an output for the model. An error of the sandbox is thrown. */
export async function withFailures(work: () => Promise<object>): Promise<object> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && inputErrors.some((kind) => error instanceof kind))
      return { success: false, error: error.message }
    throw error
  }
}

/** Returns a path of the input relative to the working directory, as in every output. */
export function showFile(sandbox: Sandbox, path: string): string {
  const root = `${sandbox.workingDirectory}/`
  return path.startsWith(root) ? path.slice(root.length) : path.replace(/^(\.\/)+/, '')
}

/** Returns the path relative to the working directory if it is inside it, or else the absolute path. */
export function showPath(sandbox: Sandbox, path: string): string {
  const root = sandbox.workingDirectory
  if (path === root) return '.'
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
}
