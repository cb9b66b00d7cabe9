import { ApplicationFailure, CancelledFailure } from '@temporalio/activity'
import { countFailure } from '../../db/log/attempts.ts'
import { StaleWriterError } from '../../db/log/writer.ts'
import { recheckIfSlow } from '../../db/postgres/retry.ts'
import { advanceRun } from '../../db/runs/runs.ts'
import { findSession } from '../../db/sessions/sessions.ts'
import { findOpenRestore, settleRestore, type Restore } from '../../db/turns/restore.ts'
import { maxFailures } from '../../domain/chat/turns.ts'
import { SandboxError, type Sandbox } from '../../providers/sandbox/index.ts'
import type { Notifier } from '../../db/postgres/channels/notify.ts'
import { isHandedOver, onOpenLog, withWorkerLock, type LockDeps } from '../chat/working.ts'
import { openSessionSandbox, type SandboxDeps } from '../sandboxes/session.ts'
import { isRepositoryDenied, requireRepository } from './access.ts'
import { resolveAuthor } from './author.ts'
import { noGit, noRepository, runGit, unfinished, type GitRun } from './script.ts'
import { stagingScript } from './staging.ts'

type RestoreDeps = SandboxDeps & LockDeps & { notifier: Notifier }

/** Step number under which failures before step 0 are counted. */
const preparationStep = -1
const scriptTimeoutMs = 2 * 60_000
const unknownCommit = 66

/** Restores the files of a session before a turn that regenerates a message. */
export function createRestoreActivities(deps: RestoreDeps) {
  const { db } = deps

  const restore = async ({ sessionId, ...goal }: Restore, signal: AbortSignal): Promise<'restored' | 'kept'> => {
    const session = await findSession(db, sessionId)
    if (session === undefined) throw new Error('the session no longer exists')
    await requireRepository(db, session)
    const { sandbox } = await openSessionSandbox(deps, sessionId)
    const author = await resolveAuthor(deps, session.ownerId, session.cloneUrl ?? deps.platform.baseUrl)
    return restoreWorkTree(sandbox, { ...goal, author, maxFileBytes: deps.codeHost.maxFileBytes, signal })
  }

  return {
    /**
     * Restores the working tree to a commit by adding a new commit. Safe to run again: restored files do not change, and the
     * outcome is reported once.
     */
    restoreFiles: ({ runId }: { runId: string }): Promise<void> =>
      onOpenLog(async () => {
        if (!(await advanceRun(db, runId))) throw new StaleWriterError('the run has ended')
        try {
          await withWorkerLock(deps, runId, async (signal) => {
            const goal = await recheckIfSlow(() => findOpenRestore(db, runId))
            if (goal === undefined) return
            const state = await restore(goal, signal)
            await db.begin((tx) => settleRestore(tx, runId, state))
            deps.notifier.wake(runId)
          })
        } catch (error) {
          if (isInterruption(error)) throw error
          deps.log.error({ runId, err: error }, 'failed to restore the files of a turn')
          throw ApplicationFailure.create({
            type: 'RestoreFailed',
            message: 'the files could not be restored',
            nonRetryable: (await countFailure(db, runId, preparationStep)) >= maxFailures,
          })
        }
      }),
  }
}

/** True for an error that ends the attempt but is not counted as a failure of the restore. */
function isInterruption(error: unknown): boolean {
  return (
    error instanceof CancelledFailure ||
    error instanceof StaleWriterError ||
    isHandedOver(error) ||
    isRepositoryDenied(error)
  )
}

// Only adds commits: one for uncommitted changes, and one for the restored tree. After an interruption, the next attempt
// commits the current state and continues from there.
const restoreScript = `${stagingScript}
for left in MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD rebase-merge rebase-apply; do
  [ ! -e "$real/$left" ] || exit ${unfinished}
done
branch=$(git symbolic-ref --quiet HEAD) || exit ${unfinished}
git cat-file -e --end-of-options "$1^{commit}" || exit ${unknownCommit}
[ "$2" = - ] || [ "$(git show -s --format=%ct --end-of-options "$1")" -le "$2" ] || exit ${unknownCommit}
advance() {
  commit=$(git commit-tree \${head:+-p "$head"} -m "$2" --end-of-options "$1") || exit 1
  git update-ref -m restore --end-of-options "$branch" "$commit" "\${head:-0000000000000000000000000000000000000000}" || exit 1
  head=$commit
}
head=$(git rev-parse --quiet --verify 'HEAD^{commit}')
stage || exit 1
[ "$tree" = "$(tree_of HEAD)" ] || advance "$tree" 'chore: keep changes before going back'
install_index || exit 1
git update-index -q --refresh
git read-tree -m -u --end-of-options "$tree" "$1^{tree}" || exit 1
tree=$(git write-tree) || exit 1
[ "$tree" = "$(tree_of "$branch")" ] || advance "$tree" "chore: go back to $1"
install_index || exit 1
`

/** Returns `kept` if there is no git, the commit is unknown or too new, or a merge or rebase is in progress. */
async function restoreWorkTree(
  sandbox: Sandbox,
  { commit, before, ...gitOptions }: Omit<Restore, 'sessionId'> & Pick<GitRun, 'author' | 'maxFileBytes' | 'signal'>,
): Promise<'restored' | 'kept'> {
  const args = [commit, before === undefined ? '-' : String(Math.floor(before.getTime() / 1000))]
  const run = { ...gitOptions, args, timeoutMs: scriptTimeoutMs, maxOutputBytes: 10_000 }
  const { exitCode, output } = await runGit(sandbox, restoreScript, run)
  if (exitCode === 0) return 'restored'
  if (exitCode !== null && [noGit, noRepository, unfinished, unknownCommit].includes(exitCode)) return 'kept'
  throw new SandboxError(`the restore ended with ${exitCode}: ${output.slice(0, 200)}`)
}
