import { Context } from '@temporalio/activity'
import { fallbackMessage } from '../../domain/repositories/commits.ts'
import {
  announceCommit,
  findCommit,
  isLeftOutKnown,
  readOpenCommit,
  recordClean,
  saveCommitted,
  saveSyncedCommit,
  saveMessage,
  saveRebased,
  settleCommit,
  type CommitResult,
  type TurnCommit,
} from '../../db/turns/commit.ts'
import { confirmDiff, findDiffState, markNewBranch } from '../../db/sessions/diffs.ts'
import { nothingLeftOut, type LeftOut } from '../../domain/repositories/left-out.ts'
import { announceLoss } from '../../db/turns/sandbox-loss.ts'
import { findLoss } from '../../domain/sandboxes/loss.ts'
import { recheckIfSlow } from '../../db/postgres/retry.ts'
import { readRun, type Run } from '../../db/runs/runs.ts'
import { findSession } from '../../db/sessions/sessions.ts'
import type { SessionRow } from '../../domain/sessions/sessions.ts'
import type { Sandbox } from '../../providers/sandbox/index.ts'
import type { Notifier } from '../../db/postgres/channels/notify.ts'
import type { ModelPort } from '../../providers/model/index.ts'
import { onOpenLog, withWorkerLock, type LockDeps } from '../chat/working.ts'
import type { CheckpointDeps } from '../sandboxes/checkpoints.ts'
import { openSessionSandbox, type SandboxDeps } from '../sandboxes/session.ts'
import { createSessionHost, isRepositoryDenied, repositoryDenied } from './access.ts'
import { resolveAuthor } from './author.ts'
import { generateMessage } from './message.ts'
import { inspectFiles, pushFiles } from './plain.ts'
import { readGitlessTree } from './plain-tree.ts'
import { pushBranch } from './push.ts'
import { commitWorkTree, inspectWorkTree, type WorkTree } from './work-tree.ts'

export type CommitDeps = SandboxDeps &
  CheckpointDeps &
  LockDeps & {
    models: ModelPort
    notifier: Notifier
    /** `smallModel`: writes commit messages. */
    settings: { smallModel: string }
  }

type RunId = { runId: string }
type InspectedTree = Exclude<WorkTree, { state: 'no repository' | 'no git' }> & { isGitless?: true }
type CleanTree = { branch: string; head: string | null; leftOut: LeftOut }

/** The remaining steps of a commit. The workflow receives flags, never content. */
export type CommitPlan = { commit: boolean; push: boolean; diff: boolean }

const noSteps: CommitPlan = { commit: false, push: false, diff: false }
const messageTimeoutMs = 20_000

/**
 * Commits the changes of a turn to the repository of its session. Each step is safe to run again and is cancelled with the
 * run.
 */
export function createCommitActivities(deps: CommitDeps) {
  const { db, codeHost } = deps

  /** Opens the sandbox of a run, and announces a loss of its files before the commit continues without them. */
  const openSandbox = async (runId: string, sessionId: string): Promise<Sandbox> => {
    const { sandbox } = await openSessionSandbox(deps, sessionId)
    const loss = findLoss(sandbox.state)
    if (loss !== undefined && (await db.begin((tx) => announceLoss(tx, runId, loss)))) deps.notifier.wake(runId)
    return sandbox
  }

  const readSession = async (sessionId: string): Promise<SessionRow> => {
    const session = await findSession(db, sessionId)
    if (session === undefined) throw new Error('the session no longer exists')
    return session
  }

  const settle = async (runId: string, result: CommitResult): Promise<void> => {
    await db.begin((tx) => settleCommit(tx, runId, result))
    deps.notifier.wake(runId)
  }

  const announce = async (run: Run, tree: InspectedTree): Promise<void> => {
    const { id: runId, sessionId, assistantMessageId } = run
    const announcement =
      tree.state === 'unfinished'
        ? { changed: false, isGitless: false, head: null, branch: null, stagedDiff: '', leftOut: nothingLeftOut }
        : {
            ...tree,
            changed: tree.state === 'changed',
            isGitless: tree.isGitless === true,
            stagedDiff: tree.stagedDiff.replaceAll('\0', ' '),
          }
    await db.begin((tx) => announceCommit(tx, { runId, sessionId, assistantMessageId, ...announcement }))
    deps.notifier.wake(runId)
  }

  /** Confirms the stored diff if it is still current: the working tree is clean and on the commit of the diff. */
  const confirmIfCurrent = async (run: Run, tree: { branch: string; head: string | null }): Promise<boolean> => {
    const lastDiff = await findDiffState(db, run.sessionId)
    const isCurrent =
      lastDiff?.branch === tree.branch && lastDiff.diffCommit !== null && lastDiff.diffCommit === tree.head
    if (isCurrent) await confirmDiff(db, run.sessionId, run.id)
    return isCurrent
  }

  /**
   * Records that there is nothing to commit. If the left-out paths differ from those of the session's latest commit,
   * announces them and ends the commit as skipped.
   */
  const settleClean = async (run: Run, tree: CleanTree): Promise<CommitPlan> => {
    const { leftOut } = tree
    if (await isLeftOutKnown(db, run.sessionId, leftOut)) {
      await recordClean(db, { runId: run.id, sessionId: run.sessionId, leftOut })
    } else {
      await announce(run, { ...tree, state: 'clean', stagedDiff: '' })
      await settle(run.id, { status: 'skipped', pushed: false })
    }
    return { ...noSteps, diff: !(await confirmIfCurrent(run, tree)) }
  }

  const prepareGitless = async (run: Run, sandbox: Sandbox, signal: AbortSignal): Promise<CommitPlan> => {
    const tree = await readGitlessTree(deps, await readSession(run.sessionId), sandbox)
    if (tree === undefined) return noSteps
    const { isChanged, ...inspection } = await inspectFiles(tree, signal)
    if (isChanged) {
      await announce(run, { ...inspection, state: 'changed', isGitless: true })
      return { commit: true, push: true, diff: true }
    }
    return settleClean(run, inspection)
  }

  const failPush = async (runId: string, commitSha?: string): Promise<false> => {
    await settle(runId, { status: 'error', pushed: false, commitSha, error: 'Push failed' })
    return false
  }

  /** Pushes the files of a sandbox without git. The code host commits and pushes them in one request. */
  const pushGitless = async (
    { runId, message }: TurnCommit,
    session: SessionRow,
    signal: AbortSignal,
  ): Promise<boolean> => {
    const sandbox = await openSandbox(runId, session.id)
    const tree = await readGitlessTree(deps, session, sandbox)
    if (tree === undefined) throw new Error('the files of the sandbox have no base commit')
    const author = await resolveAuthor(deps, session.ownerId, session.cloneUrl ?? '')
    const result = await pushFiles(tree, { message: message ?? fallbackMessage, author, signal })
    if (result === undefined) return failPush(runId)
    const sourceBase = session.sandboxState?.source?.baseCommit
    await saveSyncedCommit(db, runId, { commit: result.head, base: result.mergedInto, sourceBase })
    const url = codeHost.commitUrl(tree.repository, result.head)
    await settle(runId, { status: 'success', pushed: true, commitSha: result.head, url })
    return true
  }

  const pushTree = async (
    { runId }: TurnCommit,
    session: SessionRow,
    { branch, signal }: { branch: string; signal: AbortSignal },
  ): Promise<boolean> => {
    const repository = codeHost.parseCloneUrl(session.cloneUrl ?? '')
    if (repository === undefined) return failPush(runId)
    const sandbox = await openSandbox(runId, session.id)
    const author = await resolveAuthor(deps, session.ownerId, session.cloneUrl ?? '')
    const host = createSessionHost(deps, session)
    const push = await pushBranch({ codeHost: host, repository, sandbox }, { branch, author, signal })
    const commit = push.pushed ? push.head : push.commit
    if (push.rebasedOnto !== undefined && commit !== undefined) {
      const rebasedCommit = { commit, base: push.rebasedOnto, sourceBase: session.sandboxState?.source?.baseCommit }
      await saveRebased(db, runId, rebasedCommit)
    }
    if (push.pushed && push.isNew) await markNewBranch(db, session.id, branch)
    if (!push.pushed) return failPush(runId, commit)
    const url = codeHost.commitUrl(repository, push.head)
    await settle(runId, { status: 'success', pushed: true, commitSha: commit, url })
    return true
  }

  const prepare = async (run: Run, signal: AbortSignal): Promise<CommitPlan> => {
    const sandbox = await openSandbox(run.id, run.sessionId)
    const tree = await inspectWorkTree(sandbox, { maxFileBytes: codeHost.maxFileBytes, signal })
    if (tree.state === 'no git') return prepareGitless(run, sandbox, signal)
    if (tree.state === 'no repository') return noSteps
    if (tree.state === 'clean') return settleClean(run, tree)
    await announce(run, tree)
    if (tree.state === 'unfinished') {
      await settle(run.id, { status: 'skipped', pushed: false })
      return { ...noSteps, diff: true }
    }
    return { commit: tree.state === 'changed', push: true, diff: true }
  }

  const runOnOpenLog = <T>(runId: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
    onOpenLog(() => withWorkerLock(deps, runId, work))

  /** Reads the announced commit. Throws if the log is closed, so that no step starts after a stop was acknowledged. */
  const readAnnounced = (runId: string): Promise<TurnCommit> => recheckIfSlow(() => readOpenCommit(db, runId))

  return {
    /** Checks for changes to commit or push and announces them in the log. Safe to run again: a commit is announced once. */
    prepareCommit: ({ runId }: RunId): Promise<CommitPlan> =>
      runOnOpenLog(runId, async (signal) => {
        const announcedCommit = await findCommit(db, runId)
        if (announcedCommit !== undefined) return planRemaining(announcedCommit)
        return prepare(await readRun(db, runId), signal)
      }),

    /** Calls the small model once for the commit message. Safe to run again: the first message is kept. */
    nameCommit: ({ runId }: RunId): Promise<void> =>
      runOnOpenLog(runId, async (signal) => {
        const commit = await readAnnounced(runId)
        if (commit.message !== null) return
        const call = {
          modelId: deps.settings.smallModel,
          idempotencyKey: `${runId}:commit:${Context.current().info.attempt}`,
          stagedDiff: commit.stagedDiff ?? '',
        }
        const callSignal = AbortSignal.any([signal, AbortSignal.timeout(messageTimeoutMs)])
        const message = await generateMessage(deps.models, call, callSignal)
        signal.throwIfAborted()
        await saveMessage(db, runId, message)
      }),

    /**
     * Commits the working tree. If that fails, writes the failure into the log and returns false. Safe to run again: a clean
     * tree is treated as committed.
     */
    commitChanges: ({ runId }: RunId): Promise<boolean> =>
      runOnOpenLog(runId, async (signal) => {
        const { state, branch, head, message, committed, isGitless, sessionId } = await readAnnounced(runId)
        if (state !== 'pending' || branch === null) return false
        if (committed || isGitless) return true
        const session = await readSession(sessionId)
        const sandbox = await openSandbox(runId, sessionId)
        const author = await resolveAuthor(deps, session.ownerId, session.cloneUrl ?? '')
        const { maxFileBytes } = codeHost
        const options = { branch, message: message ?? fallbackMessage, author, maxFileBytes, signal }
        const result = await commitWorkTree(sandbox, options)
        if ('error' in result) {
          await settle(runId, { status: 'error', pushed: false, error: result.error })
          return false
        }
        await saveCommitted(db, runId, { ...result, committed: result.commit !== head })
        return true
      }),

    /**
     * Pushes the branch and writes the result into the log. Safe to run again: a push succeeds if the remote already
     * has the commit.
     */
    pushCommits: ({ runId }: RunId): Promise<void> =>
      runOnOpenLog(runId, async (signal) => {
        const commit = await readAnnounced(runId)
        if (commit.state !== 'pending' || commit.branch === null) return
        const session = await readSession(commit.sessionId)
        const endChanges = await deps.checkpoints?.start(session.id, { runId, step: null }, signal)
        let isPush = false
        try {
          isPush = commit.isGitless
            ? await pushGitless(commit, session, signal)
            : await pushTree(commit, session, { branch: commit.branch, signal })
        } catch (error) {
          if (!isRepositoryDenied(error)) throw error
          await settle(runId, { status: 'error', pushed: false, error: repositoryDenied })
        } finally {
          endChanges?.({ isPush })
        }
      }),

    /** Stores the failure of a commit that could not finish. Safe to run again: a stored result is kept. */
    failCommit: ({ runId }: RunId): Promise<void> =>
      onOpenLog(async () => {
        const commit = await findCommit(db, runId)
        if (commit?.state !== 'pending') return
        await settle(runId, {
          status: 'error',
          pushed: false,
          error: commit.changed && !commit.committed ? 'Commit failed' : 'Push failed',
        })
      }),
  }
}

/** Returns the remaining steps of a commit that an earlier attempt or workflow of the turn announced. */
function planRemaining({ state, changed, committed }: TurnCommit): CommitPlan {
  return state === 'pending' ? { commit: changed && !committed, push: true, diff: true } : { ...noSteps, diff: true }
}
