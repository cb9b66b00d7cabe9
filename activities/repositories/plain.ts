import { buffer } from 'node:stream/consumers'
import { maxPromptDiff } from '../../domain/repositories/commits.ts'
import { isCommittablePath, maxLeftOut, type LeftOut } from '../../domain/repositories/left-out.ts'
import { buildDiff, maxPatchBytes, type Diff } from '../../domain/repositories/diff.ts'
import { CodeHostFullError, type PlainFiles, type RepositoryName } from '../../providers/code-host/index.ts'
import { SandboxError, type Sandbox } from '../../providers/sandbox/index.ts'
import type { SessionHost } from './access.ts'
import { quote, type Author } from './script.ts'
import { readTar } from './tar.ts'

const maxBytes = 32 * 1024 * 1024
/** Overhead of one file in a tar archive: its header and the padding of its last block. */
const tarOverheadBytes = 1024
const maxOverheadBytes = 8 * 1024 * 1024
const archiveTimeoutMs = 30_000
const branch = 'main'

/** A sandbox without git, the repository of its files, and the commit that the files were last synchronized with. */
export type GitlessTree = {
  codeHost: Pick<SessionHost, 'compareFiles' | 'commitFiles'>
  repository: RepositoryName
  sandbox: Sandbox
  base: string
}

/** Returns the changes of the files since the base commit. */
export async function inspectFiles(tree: GitlessTree, signal: AbortSignal) {
  const files = await readFiles(tree, signal)
  const options = { ...files, against: tree.base, maxPatchBytes: maxPromptDiff * 4 }
  const { isChanged, patch } = await tree.codeHost.compareFiles(tree.repository, options)
  return { isChanged, branch, head: tree.base, stagedDiff: patch.slice(0, maxPromptDiff), leftOut: files.leftOut }
}

/** Returns the diff between the commit `against` and the files. */
export async function diffFiles(
  tree: GitlessTree,
  { against, signal }: { against: string; signal: AbortSignal },
): Promise<{ branch: string; head: string; isClean: boolean; diff: Diff }> {
  const files = await readFiles(tree, signal)
  const comparison = await tree.codeHost.compareFiles(tree.repository, { ...files, against, maxPatchBytes })
  return {
    branch,
    head: tree.base,
    isClean: !comparison.isChanged,
    diff: buildDiff({ ...comparison, local: '', status: '' }),
  }
}

/**
 * Commits the files through the code host, and copies new changes of the branch into the sandbox. Returns undefined on a
 * conflict, or if the code host has no space for the commit.
 */
export async function pushFiles(
  tree: GitlessTree,
  { message, author, signal }: { message: string; author: Author; signal: AbortSignal },
): Promise<{ head: string; mergedInto?: string } | undefined> {
  const files = await readFiles(tree, signal)
  signal.throwIfAborted()
  const commit = await tree.codeHost
    .commitFiles(tree.repository, { ...files, message, author })
    .catch((error: unknown) => {
      if (error instanceof CodeHostFullError) return undefined
      throw error
    })
  if (commit === undefined || commit.outcome === 'conflict') return undefined
  const { head, mergedInto, missing } = commit
  const toWrite = missing.flatMap(({ path, content }) => (content === undefined ? [] : [{ path, content }]))
  const removedPaths = missing.filter(({ content }) => content === undefined).map(({ path }) => quote(path))
  if (toWrite.length > 0) await tree.sandbox.writeFiles(toWrite, { signal })
  if (removedPaths.length > 0)
    await tree.sandbox.exec(`rm -f -- ${removedPaths.join(' ')}`, {
      timeoutMs: archiveTimeoutMs,
      maxOutputBytes: 10_000,
      signal,
    })
  return { head, ...(mergedInto !== undefined && { mergedInto }) }
}

type ListedFile = { path: string; bytes: number }

/** Reads as many files as fit into one commit, and lists the files that are left out. */
async function readFiles(
  { sandbox, base }: GitlessTree,
  signal: AbortSignal,
): Promise<PlainFiles & { leftOut: LeftOut }> {
  const allFiles = await listFiles(sandbox, signal)
  const chosenFiles = chooseFiles(allFiles)
  // `.` archives all files, because the file names of a large tree exceed the length limit of a command line.
  const hasAllFiles = chosenFiles.length === allFiles.length
  const names = hasAllFiles ? '.' : chosenFiles.map(({ path }) => quote(`./${path}`)).join(' ')
  const archivedFiles = names === '' ? [] : readTar(await readArchive(sandbox, names, signal))
  const files = archivedFiles.filter(({ path }) => isCommittablePath(path))
  const archivedPaths = new Set(archivedFiles.map(({ path }) => path))
  const chosenSet = new Set(chosenFiles)
  const missing = allFiles.filter((file) => !archivedPaths.has(file.path))
  const leftOut = [
    ...missing.map((file) => ({ path: file.path, reason: chosenSet.has(file) ? 'unreadable' : 'too-large' }) as const),
    ...archivedFiles
      .filter(({ path }) => !isCommittablePath(path))
      .map(({ path }) => ({ path, reason: 'not-allowed' }) as const),
  ]
  return {
    branch,
    base,
    files,
    unread: missing.map(({ path }) => path),
    leftOut: { count: leftOut.length, paths: leftOut.slice(0, maxLeftOut) },
  }
}

/**
 * Reads a tar archive of the named files. The archive is written to a file first, because the simulated shell limits the
 * output of a command to far less than the size of a commit.
 */
async function readArchive(sandbox: Sandbox, names: string, signal: AbortSignal): Promise<Uint8Array> {
  const limits = { timeoutMs: archiveTimeoutMs, maxOutputBytes: 10_000, signal }
  const command = `tar -cf "$HOME/.commit.tar" -- ${names} > /dev/null 2>&1; printf %s "$HOME/.commit.tar"`
  const { exitCode, output: path } = await sandbox.exec(command, limits)
  if (exitCode !== 0) throw new SandboxError('the files could not be read')
  try {
    return await buffer(sandbox.streamFile(path, { maxBytes: maxBytes + maxOverheadBytes, signal }))
  } finally {
    await sandbox.exec(`rm -f -- ${quote(path)}`, { timeoutMs: archiveTimeoutMs, maxOutputBytes: 10_000 })
  }
}

async function listFiles(sandbox: Sandbox, signal: AbortSignal): Promise<ListedFile[]> {
  const limits = { timeoutMs: archiveTimeoutMs, maxOutputBytes: maxBytes, signal }
  const { exitCode, output, truncated } = await sandbox.exec("find . -type f -printf '%s %p\\0'", limits)
  if (exitCode === null || truncated) throw new SandboxError('the files could not be listed')
  return output.split('\0').flatMap((line) => {
    const [, bytes, path] = /^(\d+) (?:\.\/)?(.+)$/s.exec(line) ?? []
    return path === undefined ? [] : [{ path, bytes: Number(bytes) }]
  })
}

/** Chooses the files that fit into one commit, smallest first. */
export function chooseFiles(files: ListedFile[]): ListedFile[] {
  let remaining = maxBytes
  return files.toSorted((a, b) => a.bytes - b.bytes).filter(({ bytes }) => (remaining -= bytes + tarOverheadBytes) >= 0)
}
