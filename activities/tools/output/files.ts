import { z } from 'zod'
import { GlobError } from '../../../domain/tools/glob.ts'
import { RegexError } from '../../../domain/tools/regex-error.ts'
import { InvalidUtf8Error } from '../../../domain/tools/text-files.ts'
import { SandboxFileError, SandboxSearchError, type Sandbox } from '../../../providers/sandbox/index.ts'

/** Maximum size of a file that the worker reads completely. */
export const maxFileBytes = 20 * 1024 * 1024

export const filePath = z.string().min(1).describe('Path, relative to the working directory')

const inputErrors = [InvalidUtf8Error, GlobError, RegexError, SandboxFileError, SandboxSearchError]

/** Runs the work of a tool. Returns an error of a path or pattern as output for the model, and throws any other error. */
export async function withInputErrors(work: () => Promise<object>): Promise<object> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && inputErrors.some((kind) => error instanceof kind))
      return { success: false, error: error.message }
    throw error
  }
}

/** Returns a path of the input as outputs show it: relative to the working directory if the directory contains it. */
export function showFile(sandbox: Sandbox, path: string): string {
  const root = `${sandbox.workingDirectory}/`
  return path.startsWith(root) ? path.slice(root.length) : path.replace(/^(\.\/)+/, '')
}

/** Returns an absolute path relative to the working directory if the directory contains it, and unchanged otherwise. */
export function showPath(sandbox: Sandbox, path: string): string {
  const root = sandbox.workingDirectory
  if (path === root) return '.'
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
}
