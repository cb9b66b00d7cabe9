import { posix } from 'node:path'
import { GlobError, globRegex, splitAbsolute } from '../../domain/glob.ts'
import type { GlobInput, GrepInput } from '../../domain/tools.ts'
import type { ExecResult, Sandbox } from '../../providers/sandbox/index.ts'
import type { ToolContext } from './context.ts'
import { cutList } from './cut.ts'
import { globScript, grepScript, scriptFaults } from './search-scripts.ts'

const timeoutMs = 30_000
const mostOutputBytes = 4_000_000
const mostMatches = 100
const mostPerFile = 10
const lineCharacters = 200

const failure = (error: string): object => ({ success: false, error })

/** Relative to the working directory when it lies there, else absolute. */
const shown = (sandbox: Sandbox, path: string): string => {
  const root = sandbox.workingDirectory
  if (path === root) return '.'
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
}

type Search = { script: string; root: string; env: Record<string, string> }

/** What a script printed behind its first line; `marked` when NUL ends names, `folder` is where its paths begin. */
type Found = { marked: boolean; folder: string; text: string }

/** A text is why the search failed. */
const foundOf = ({ timedOut, exitCode, truncated, output }: ExecResult, root: string): Found | string => {
  if (timedOut) return `The search was ended after ${timeoutMs / 1000} seconds`
  if (exitCode !== 0 && !truncated) return scriptFaults[exitCode ?? -1] ?? 'The search passed the limits of the sandbox'
  const end = output.indexOf('\n')
  const [form, kind] = output.slice(0, end).split(' ')
  return {
    marked: form === 'marked',
    folder: kind === 'file' ? posix.dirname(root) : root,
    text: output.slice(end + 1),
  }
}

/** Values travel in the environment: nothing of them is read as shell text. */
const search = async (sandbox: Sandbox, { script, root, env }: Search, ctx: ToolContext): Promise<Found | string> => {
  const given = { ...env, SEARCH_ROOT: root }
  if (Object.values(given).some((value) => value.includes('\0'))) return 'NUL in a pattern or path'
  const limits = { timeoutMs, maxOutputBytes: mostOutputBytes, signal: ctx.signal }
  return foundOf(await sandbox.exec(script, { ...limits, env: given }), root)
}

const orGlobError = async (work: () => Promise<object>): Promise<object> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof GlobError) return failure(error.message)
    throw error
  }
}

type Match = { file: string; line: number; content: string }

/** `name NUL line:content` where the sandbox's grep can mark the end of a name, else `name:line:content`. */
const matchOf = (record: string, marked: boolean): Match | undefined => {
  const found = (marked ? /^([^\0]+)\0(\d+):(.*)$/s : /^(.+?):(\d+):(.*)$/s).exec(record)
  if (found === null) return undefined
  const [, file = '', line, content = ''] = found
  return { file, line: Number(line), content: content.slice(0, lineCharacters) }
}

const byPlace = (a: Match, b: Match): number => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1)

/** A back-reference would take more than linear time; in brackets a backslash is refused too, which is seldom meant. */
const hasBackReference = (pattern: string): boolean => /(?<!\\)(?:\\\\)*\\[1-9]/.test(pattern)

export const grep = (sandbox: Sandbox, input: GrepInput, ctx: ToolContext): Promise<object> =>
  orGlobError(async () => {
    const { pattern, path, glob, caseSensitive } = input
    if (hasBackReference(pattern)) return failure('Back-references are not supported')
    const root = posix.resolve(sandbox.workingDirectory, path)
    const env = {
      SEARCH_PATTERN: pattern,
      SEARCH_FILES: glob === undefined ? '.*' : globRegex(glob, { anyDepth: true }),
      SEARCH_CASE: caseSensitive ? '' : '-i',
      SEARCH_MOST: String(mostMatches),
      SEARCH_PER_FILE: String(mostPerFile),
    }
    const found = await search(sandbox, { script: grepScript, root, env }, ctx)
    if (typeof found === 'string') return failure(found)
    const matches = cutList(
      found.text
        .split('\n')
        .map((record) => matchOf(record, found.marked))
        .filter((match) => match !== undefined)
        .slice(0, mostMatches)
        .map((match) => ({ ...match, file: shown(sandbox, posix.join(found.folder, match.file)) }))
        .sort(byPlace),
    )
    const filesWithMatches = new Set(matches.map(({ file }) => file)).size
    return { success: true, pattern, matchCount: matches.length, filesWithMatches, matches }
  })

type File = { path: string; size: number; modifiedAt: string }

const fileOf = (sandbox: Sandbox, folder: string, record: string): File | undefined => {
  const [, seconds, size, path] = /^(-?\d+(?:\.\d+)?) (\d+) (.+)$/s.exec(record) ?? []
  if (path === undefined) return undefined
  const modifiedAt = new Date(Math.floor(Number(seconds) * 1000))
  if (Number.isNaN(modifiedAt.getTime())) return undefined
  return { path: shown(sandbox, posix.join(folder, path)), size: Number(size), modifiedAt: modifiedAt.toISOString() }
}

export const glob = (sandbox: Sandbox, input: GlobInput, ctx: ToolContext): Promise<object> =>
  orGlobError(async () => {
    const { pattern, path = '.', limit } = input
    const absolute = pattern.startsWith('/') ? splitAbsolute(pattern) : undefined
    const root = posix.resolve(sandbox.workingDirectory, absolute?.base ?? path)
    const env = { SEARCH_FILES: globRegex(absolute?.rest ?? pattern), SEARCH_MOST: String(limit) }
    const found = await search(sandbox, { script: globScript, root, env }, ctx)
    if (typeof found === 'string') return failure(found)
    const files = found.text
      .split(found.marked ? '\0' : '\n')
      .map((record) => fileOf(sandbox, found.folder, record))
      .filter((file) => file !== undefined)
    const kept = cutList(files.slice(0, limit))
    return { success: true, pattern, baseDir: shown(sandbox, root), count: kept.length, files: kept }
  })
