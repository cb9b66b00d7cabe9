import { posix } from 'node:path'
import { GlobError, globRegex, splitAbsolute } from '../../domain/tools/glob.ts'
import type { GlobInput, GrepInput } from '../../domain/tools/tools.ts'
import { SandboxSearchError, type Sandbox } from '../../providers/sandbox/index.ts'
import { grepScript } from '../../providers/sandbox/search-scripts.ts'
import { search } from '../../providers/sandbox/search.ts'
import type { ToolContext } from './context.ts'
import { cutList } from './cut.ts'

const maxMatches = 100
const maxPerFile = 10
const lineCharacters = 200

type Match = { file: string; line: number; content: string }

export function grep(sandbox: Sandbox, input: GrepInput, ctx: ToolContext): Promise<object> {
  return orFailure(async () => {
    const { pattern, path, glob, caseSensitive } = input
    if (hasBackReference(pattern)) return failure('Back-references are not supported')
    const root = posix.resolve(sandbox.workingDirectory, path)
    const env = {
      SEARCH_PATTERN: pattern,
      SEARCH_FILES: glob === undefined ? '.*' : globRegex(glob, { anyDepth: true }),
      SEARCH_CASE: caseSensitive ? '' : '-i',
      SEARCH_MOST: String(maxMatches),
      SEARCH_PER_FILE: String(maxPerFile),
    }
    const found = await search(sandbox, { script: grepScript, root, env, signal: ctx.signal })
    const matches = cutList(
      found.text
        .split('\n')
        .map((record) => matchOf(record, found.marked))
        .filter((match) => match !== undefined)
        .slice(0, maxMatches)
        .map((match) => ({ ...match, file: shown(sandbox, posix.join(found.folder, match.file)) }))
        .sort(byPlace),
    )
    const filesWithMatches = new Set(matches.map(({ file }) => file)).size
    return { success: true, pattern, matchCount: matches.length, filesWithMatches, matches }
  })
}

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

async function orFailure(work: () => Promise<object>): Promise<object> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof GlobError || error instanceof SandboxSearchError) return failure(error.message)
    throw error
  }
}

function failure(error: string): object {
  return { success: false, error }
}

/** A back-reference would take more than linear time; in brackets a backslash is refused too, which is seldom meant. */
function hasBackReference(pattern: string): boolean {
  return /(?<!\\)(?:\\\\)*\\[1-9]/.test(pattern)
}

/** `name NUL line:content` where the sandbox's grep can mark the end of a name, else `name:line:content`. */
function matchOf(record: string, marked: boolean): Match | undefined {
  const found = (marked ? /^([^\0]+)\0(\d+):(.*)$/s : /^(.+?):(\d+):(.*)$/s).exec(record)
  if (found === null) return undefined
  const [, file = '', line, content = ''] = found
  return { file, line: Number(line), content: content.slice(0, lineCharacters) }
}

/** Relative to the working directory when it lies there, else absolute. */
function shown(sandbox: Sandbox, path: string): string {
  const root = sandbox.workingDirectory
  if (path === root) return '.'
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
}

function byPlace(a: Match, b: Match): number {
  return a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1
}
