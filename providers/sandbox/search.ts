import { posix } from 'node:path'
import { SandboxSearchError, type ExecResult, type FoundFile, type GlobOptions, type Sandbox } from './index.ts'
import { globScript, scriptErrorTexts } from './search-scripts.ts'

const timeoutMs = 30_000
const maxOutputBytes = 4_000_000

/** Output of a search script after its first line. `marked`: NUL terminates names. `folder`: base of the paths. */
export type SearchOutput = { marked: boolean; folder: string; text: string; truncated: boolean }

/** Runs a search script below `root`. Values are passed in the environment, so that they are never parsed as shell code. */
export async function search(
  { exec }: Pick<Sandbox, 'exec'>,
  { script, root, env, signal }: { script: string; root: string; env: Record<string, string>; signal?: AbortSignal },
): Promise<SearchOutput> {
  const scriptEnv = { ...env, SEARCH_ROOT: root }
  if (Object.values(scriptEnv).some((value) => value.includes('\0')))
    throw new SandboxSearchError('NUL in a pattern or path')
  const limits = { timeoutMs, maxOutputBytes: maxOutputBytes, ...(signal && { signal }) }
  return parseSearchOutput(await exec(script, { ...limits, env: scriptEnv }), root)
}

/** Implements `glob` for a driver that runs commands. */
export async function globWith(
  sandbox: Pick<Sandbox, 'exec'>,
  { root, regex, limit, signal }: GlobOptions,
): Promise<FoundFile[]> {
  const env = { SEARCH_FILES: regex, SEARCH_MOST: String(limit) }
  const { marked, folder, text } = await search(sandbox, { script: globScript, root, env, ...(signal && { signal }) })
  return text
    .split(marked ? '\0' : '\n')
    .map((record) => parseFile(folder, record))
    .filter((file) => file !== undefined)
    .slice(0, limit)
}

function parseSearchOutput({ timedOut, exitCode, truncated, output }: ExecResult, root: string): SearchOutput {
  if (timedOut) throw new SandboxSearchError(`The search was ended after ${timeoutMs / 1000} seconds`)
  if (exitCode !== 0 && !truncated)
    throw new SandboxSearchError(scriptErrorTexts[exitCode ?? -1] ?? 'The search exceeded the limits of the sandbox')
  const end = output.indexOf('\n')
  const [form, kind] = output.slice(0, end).split(' ')
  return {
    marked: form === 'marked',
    folder: kind === 'file' ? posix.dirname(root) : root,
    text: output.slice(end + 1),
    truncated,
  }
}

function parseFile(folder: string, record: string): FoundFile | undefined {
  const [, seconds, size, path] = /^(-?\d+(?:\.\d+)?) (\d+) (.+)$/s.exec(record) ?? []
  if (path === undefined) return undefined
  const modifiedAt = new Date(Math.floor(Number(seconds) * 1000))
  return Number.isNaN(modifiedAt.getTime())
    ? undefined
    : { path: posix.join(folder, path), size: Number(size), modifiedAt }
}
