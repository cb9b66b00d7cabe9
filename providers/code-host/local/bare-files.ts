import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Allowance } from '../allowance.ts'
import { findGitLine, git, GitError, gitLine, gitStream } from '../git.ts'
import { createScratch } from './git-user.ts'
import {
  CodeHostFileTooLargeError,
  CodeHostFullError,
  CodeHostRefusedError,
  type FileWrite,
  type KnownCommit,
  type RepositoryTree,
  type TreeEntry,
} from '../index.ts'

type Entry = TreeEntry & { mode: string }

const regularModes = new Set(['100644', '100755'])
const types = new Set(['blob', 'tree', 'commit'])

/** Returns the latest commit of a branch; undefined if the branch or the repository does not exist. */
export function findHead(directory: string, branch: string): Promise<string | undefined> {
  return findGitLine(directory, ['rev-parse', '--verify', '--quiet'], { external: [`refs/heads/${branch}^{commit}`] })
}

export async function readTree(directory: string, branch: string): Promise<RepositoryTree> {
  const commit = await readHead(directory, branch)
  const listing = await git(directory, ['ls-tree', '-r', '-z', '--long'], { external: [commit] })
  const entries = parseTree(listing).filter(({ mode }) => regularModes.has(mode))
  const ids = entries.map(({ sha }) => `${sha}\n`).join('')
  return { commit, files: parseBlobs(await git(directory, ['cat-file', '--batch'], { stdin: ids }), entries) }
}

export async function listTree(directory: string, branch: string, limit: number) {
  const commit = await readHead(directory, branch)
  const all = parseTree(await git(directory, ['ls-tree', '-r', '-t', '-z', '--long'], { external: [commit] }))
  const entries = all.slice(0, limit).map(({ mode: _mode, ...entry }) => entry)
  return { commit, entries, truncated: all.length > limit }
}

export async function readFile(
  directory: string,
  branch: string,
  { path, maxBytes }: { path: string; maxBytes: number },
): Promise<Uint8Array | undefined> {
  const commit = await findHead(directory, branch)
  const entry = commit === undefined ? undefined : await findEntry(directory, commit, path)
  if (entry === undefined || !regularModes.has(entry.mode)) return undefined
  if ((entry.size ?? 0) > maxBytes) throw new CodeHostFileTooLargeError(path)
  return git(directory, ['cat-file', 'blob'], { external: [entry.sha] })
}

/** Returns false for paths that git would normalize or reject, such as `a//b`, `../a` or `a/`. */
export function isPlainPath(path: string): boolean {
  return path.split('/').every((part) => !['', '.', '..'].includes(part))
}

const maxAttempts = 10

/** Commits one file. Retries on the new head if another writer has advanced the branch. */
export async function writeFile(
  directory: string,
  branch: string,
  { path, content, message }: FileWrite,
  allowance: Allowance,
) {
  if (!isPlainPath(path)) throw new CodeHostRefusedError('this path cannot be written')
  const sha = await gitLine(directory, ['hash-object', '--stdin'], { stdin: content })
  const isStored = (await findGitLine(directory, ['cat-file', '-e'], { external: [sha] })) !== undefined
  if (!isStored) {
    if ((await allowance(directory)) < content.length) throw new CodeHostFullError('repository')
    await gitLine(directory, ['hash-object', '-w', '--stdin'], { stdin: content })
  }
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const parent = await readHead(directory, branch)
    const current = await findEntry(directory, parent, path)
    if (current !== undefined && !regularModes.has(current.mode))
      throw new CodeHostRefusedError('this path is not a regular file')
    if (current?.sha === sha) return { sha, commit: parent }
    const tree = await writeTreeWith(directory, parent, { mode: current?.mode ?? '100644', sha, path })
    const commit = await gitLine(directory, ['commit-tree', `-p${parent}`, '-F', '-'], {
      external: [tree],
      stdin: message,
    })
    const updated = await findGitLine(directory, ['update-ref'], { external: [`refs/heads/${branch}`, commit, parent] })
    if (updated !== undefined) return { sha, commit }
  }
  throw new Error('the branch moved during every attempt')
}

/** Streams all branches as a bundle. If the known branch contains the known commit, omits the history before that commit. */
export async function* bundleBranches(directory: string, known?: KnownCommit): AsyncGenerator<Uint8Array> {
  const bundleArguments = ['bundle', 'create', '--quiet', '-', '--all'] as const
  const external = known && [known.commit, `refs/heads/${known.branch}`]
  const containsKnown =
    external !== undefined &&
    (await findGitLine(directory, ['merge-base', '--is-ancestor'], { external })) !== undefined
  if (known === undefined || !containsKnown) yield* gitStream(directory, bundleArguments)
  else yield* gitStream(directory, [...bundleArguments, '--not'], { external: [`${known.commit}^@`] })
}

function readHead(directory: string, branch: string): Promise<string> {
  return gitLine(directory, ['rev-parse', '--verify', '--quiet'], { external: [`refs/heads/${branch}^{commit}`] })
}

/** Parses `<mode> <type> <id> <size>\t<path>` records. The size is `-` for entries that are not blobs. */
function parseTree(listing: Buffer): Entry[] {
  return listing
    .toString()
    .split('\0')
    .flatMap((record) => {
      const [, mode = '', type = '', sha = '', size = '', path = ''] =
        /^(\d+) (\w+) ([0-9a-f]+) +(\S+)\t(.+)$/s.exec(record) ?? []
      return isEntryType(type) ? [{ mode, path, type, sha, ...(size === '-' ? {} : { size: Number(size) }) }] : []
    })
}

function isEntryType(type: string): type is TreeEntry['type'] {
  return types.has(type)
}

/** Parses `<id> blob <size>` lines, each followed by `size` bytes and a line feed. */
function parseBlobs(batch: Buffer, entries: Entry[]): RepositoryTree['files'] {
  let offset = 0
  return entries.map(({ path }) => {
    const end = batch.indexOf('\n', offset)
    const size = Number(batch.subarray(offset, end).toString().split(' ')[2])
    const content = batch.subarray(end + 1, end + 1 + size)
    offset = end + 1 + size + 1
    return { path, content }
  })
}

async function findEntry(directory: string, commit: string, path: string): Promise<Entry | undefined> {
  const listing = await git(directory, ['ls-tree', '-z', '--long', '--full-tree'], { external: [commit, path] })
  return parseTree(listing).find((entry) => entry.path === path)
}

/** Writes the tree of a commit with one file added or replaced, through a temporary index without a working tree. */
async function writeTreeWith(directory: string, commit: string, entry: { mode: string; sha: string; path: string }) {
  const folder = await createScratch('backline-index-', directory)
  const env = { GIT_INDEX_FILE: join(folder, 'index') }
  try {
    await git(directory, ['read-tree'], { external: [commit], env })
    const info = `${entry.sha},${entry.path}`
    const mode = entry.mode === '100755' ? '100755' : '100644'
    await git(directory, ['update-index', '--add', '--cacheinfo', `${mode},${info}`], { env })
    return await gitLine(directory, ['write-tree'], { env })
  } catch (error) {
    throw error instanceof GitError ? new CodeHostRefusedError('this path cannot be written', { cause: error }) : error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
