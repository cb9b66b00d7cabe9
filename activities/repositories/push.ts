import { CodeHostRefusedError, type RepositoryName } from '../../providers/code-host/index.ts'
import { SandboxFileError, type Sandbox } from '../../providers/sandbox/index.ts'
import type { SessionHost } from './access.ts'
import { maxPushBytes, type Author } from './script.ts'
import { bundleBranch, rebaseBranch, removeBundle } from './work-tree.ts'

export type PushResult =
  | { pushed: true; head: string; isNew: boolean; rebasedOnto?: string }
  | { pushed: false; commit?: string; rebasedOnto?: string }

type PushOptions = { branch: string; author: Author; signal: AbortSignal }

const defaultBranch = 'main'

/**
 * Exports a branch's commits from the sandbox as a bundle and pushes them through the code host. The sandbox has no
 * credential, and the code host runs no code from the sandbox. If the remote branch has other commits, rebases once.
 * Safe to run again: the push succeeds if the remote already has the commits.
 */
export async function pushBranch(
  {
    codeHost,
    repository,
    sandbox,
  }: { codeHost: Pick<SessionHost, 'findHead' | 'push' | 'bundle'>; repository: RepositoryName; sandbox: Sandbox },
  { branch, author, signal }: PushOptions,
): Promise<PushResult> {
  let rebased: { commit: string; rebasedOnto: string } | undefined
  for (;;) {
    const head = await codeHost.findHead(repository, branch)
    const defaultHead = branch === defaultBranch ? head : await codeHost.findHead(repository, defaultBranch)
    const outgoing = await bundleBranch(sandbox, branch, { head, defaultHead, signal })
    const rebaseResult = rebased && { rebasedOnto: rebased.rebasedOnto }
    if (outgoing.kind === 'same') return { pushed: true, head: outgoing.tip, isNew: false, ...rebaseResult }
    if (outgoing.kind === 'bundle') {
      signal.throwIfAborted()
      const bundle = sandbox.streamFile(outgoing.path, { maxBytes: maxPushBytes, signal })
      try {
        const { outcome, head: pushedHead } = await codeHost.push(repository, branch, bundle)
        if (outcome !== 'moved') return { pushed: true, head: pushedHead, isNew: head === undefined, ...rebaseResult }
      } catch (error) {
        if (error instanceof CodeHostRefusedError || isTooLarge(error)) return { pushed: false, ...rebased }
        throw error
      } finally {
        await removeBundle(sandbox, outgoing.path)
      }
    }
    if (rebased !== undefined || head === undefined) return { pushed: false, ...rebased }
    const knownCommit = outgoing.kind === 'moved' ? outgoing.known : undefined
    const remote = codeHost.bundle(repository, knownCommit === undefined ? undefined : { branch, commit: knownCommit })
    const commit = await rebaseBranch(sandbox, branch, { head, remote, author, signal })
    if (commit === undefined) return { pushed: false }
    rebased = { commit, rebasedOnto: head }
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof SandboxFileError && error.isTooLarge
}
