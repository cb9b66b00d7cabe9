import { diffForMessage } from '../../domain/repositories/commits.ts'
import { diffOf, patchBytes, type Diff } from '../../domain/repositories/diff.ts'
import { CodeHostFull, type PlainFiles, type RepositoryName } from '../../providers/code-host/index.ts'
import { SandboxFault, type Sandbox } from '../../providers/sandbox/index.ts'
import type { SessionHost } from './access.ts'
import { quote, type Author } from './script.ts'
import { readTar } from './tar.ts'

const maxBytes = 32 * 1024 * 1024
const archiveMs = 30_000
const branch = 'main'

/** A sandbox without git, the repository that its files came from, and the commit that they were last in step with. */
export type PlainTree = {
  codeHost: Pick<SessionHost, 'compareFiles' | 'commitFiles'>
  repository: RepositoryName
  sandbox: Sandbox
  base: string
}

/** What there is to commit. */
export async function inspectFiles(tree: PlainTree, signal: AbortSignal) {
  const files = await readFiles(tree, signal)
  const options = { ...files, against: tree.base, patchBytes: diffForMessage * 4 }
  const { isChanged, patch } = await tree.codeHost.compareFiles(tree.repository, options)
  return { isChanged, branch, head: tree.base, stagedDiff: patch.slice(0, diffForMessage) }
}

export async function diffFiles(
  tree: PlainTree,
  { against, signal }: { against: string; signal: AbortSignal },
): Promise<{ branch: string; head: string; isClean: boolean; diff: Diff }> {
  const files = await readFiles(tree, signal)
  const compared = await tree.codeHost.compareFiles(tree.repository, { ...files, against, patchBytes })
  return { branch, head: tree.base, isClean: !compared.isChanged, diff: diffOf({ ...compared, local: '', status: '' }) }
}

/** Commits the files through the code host and gives the sandbox what the branch got meanwhile. Undefined: a conflict. */
export async function pushFiles(
  tree: PlainTree,
  { message, author, signal }: { message: string; author: Author; signal: AbortSignal },
): Promise<{ head: string; mergedInto?: string } | undefined> {
  const files = await readFiles(tree, signal)
  signal.throwIfAborted()
  const made = await tree.codeHost
    .commitFiles(tree.repository, { ...files, message, author })
    .catch((error: unknown) => {
      if (error instanceof CodeHostFull) return undefined
      throw error
    })
  if (made === undefined || made.outcome === 'conflict') return undefined
  const { head, mergedInto, missing } = made
  const written = missing.flatMap(({ path, content }) => (content === undefined ? [] : [{ path, content }]))
  const removed = missing.filter(({ content }) => content === undefined).map(({ path }) => quote(path))
  if (written.length > 0) await tree.sandbox.writeFiles(written, { signal })
  if (removed.length > 0)
    await tree.sandbox.exec(`rm -f -- ${removed.join(' ')}`, { timeoutMs: archiveMs, maxOutputBytes: 10_000, signal })
  return { head, ...(mergedInto !== undefined && { mergedInto }) }
}

async function readFiles({ sandbox, base }: PlainTree, signal: AbortSignal): Promise<PlainFiles> {
  const limits = { timeoutMs: archiveMs, maxOutputBytes: Math.ceil((maxBytes * 4) / 3), signal }
  const { exitCode, output, truncated } = await sandbox.exec('tar -cf - . 2> /dev/null | base64 -w 0', limits)
  if (exitCode !== 0 || truncated) throw new SandboxFault('the files could not be read')
  return { branch, base, files: readTar(Buffer.from(output, 'base64')) }
}
