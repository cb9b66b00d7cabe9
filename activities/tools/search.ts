import { posix } from 'node:path'
import { GlobError, globRegex, splitAbsolute } from '../../domain/tools/glob.ts'
import { RegexError } from '../../domain/tools/regex-error.ts'
import type { GlobInput } from '../../domain/tools/tools.ts'
import { SandboxSearchError, type Sandbox } from '../../providers/sandbox/index.ts'
import type { ToolContext } from './context.ts'
import { cutList } from './cut.ts'

export function glob(sandbox: Sandbox, input: GlobInput, ctx: ToolContext): Promise<object> {
  return orFailure(async () => {
    const { pattern, path = '.', limit } = input
    const absolute = pattern.startsWith('/') ? splitAbsolute(pattern) : undefined
    const root = posix.resolve(sandbox.workingDirectory, absolute?.base ?? path)
    const regex = globRegex(absolute?.rest ?? pattern)
    const found = await sandbox.glob({ root, regex, limit, signal: ctx.signal })
    const files = found.map(({ path, size, modifiedAt }) => ({
      path: shown(sandbox, path),
      size,
      modifiedAt: modifiedAt.toISOString(),
    }))
    const kept = cutList(files)
    return { success: true, pattern, baseDir: shown(sandbox, root), count: kept.length, files: kept }
  })
}

/** An error of the search becomes an output for the model. An error of the sandbox is thrown. */
export async function orFailure(work: () => Promise<object>): Promise<object> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof GlobError || error instanceof RegexError || error instanceof SandboxSearchError)
      return { success: false, error: error.message }
    throw error
  }
}

/** Path relative to the working directory if it is below it, otherwise absolute. */
export function shown(sandbox: Sandbox, path: string): string {
  const root = sandbox.workingDirectory
  if (path === root) return '.'
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
}
