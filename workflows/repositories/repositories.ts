import { CancellationScope, isCancellation, proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import type { RunTurnInput } from '../chat/messages.ts'
import { priorities } from '../messages.ts'
import type { ComputeDiffInput } from './messages.ts'

const { computeDiff: compute } = proxyActivities<Activities>({
  priority: priorities.interactive,
  startToCloseTimeout: '1m',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '200ms', maximumInterval: '2s', maximumAttempts: 3 },
})

/** Computes and stores the diff of a session. */
export function computeDiff(input: ComputeDiffInput): Promise<void> {
  return compute(input)
}

const commitStep = {
  heartbeatTimeout: '5s',
  retry: { initialInterval: '200ms', maximumInterval: '5s', maximumAttempts: 3 },
} as const
const { prepareCommit, nameCommit, commitChanges } = proxyActivities<Activities>({
  ...commitStep,
  startToCloseTimeout: '45s',
})
const { pushCommits } = proxyActivities<Activities>({ ...commitStep, startToCloseTimeout: '5m' })
const { recordDiff } = proxyActivities<Activities>({
  startToCloseTimeout: '30s',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '200ms', maximumAttempts: 2 },
})
const { failCommit } = proxyActivities<Activities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', maximumInterval: '5s', maximumAttempts: 5 },
})

/** Commits and pushes the changes of a turn, then stores branch, diff and line counts. */
export async function commitAndPush(turn: RunTurnInput): Promise<void> {
  const { runId } = turn
  let hasDiff = true
  const commit = async (): Promise<void> => {
    hasDiff = await commitTurnChanges(turn)
  }
  await runWithFallback(commit, () =>
    runWithFallback(
      () => failCommit({ runId }),
      async () => {},
    ),
  )
  if (hasDiff) await recordTurnDiff(turn)
}

/**
 * Stores branch, diff and line counts after a turn that ended without a commit. Runs in the background, and a stop does
 * not cancel it.
 */
export async function recordDiffAfter(turn: RunTurnInput): Promise<void> {
  await CancellationScope.nonCancellable(() => recordTurnDiff(turn))
}

async function commitTurnChanges(turn: RunTurnInput): Promise<boolean> {
  const { runId } = turn
  const { commit, push, diff } = await prepareCommit({ runId })
  if (commit) {
    await nameCommit({ runId })
    if (!(await commitChanges({ runId }))) return diff
  }
  if (push) await pushCommits({ runId })
  return diff
}

/** Runs `fallback` when `work` fails, because a failure here never fails the turn. Only a cancellation is rethrown. */
async function runWithFallback(work: () => Promise<unknown>, fallback: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (isCancellation(error)) throw error
    await fallback()
  }
}

/** Stores branch, diff and line counts after a turn. */
function recordTurnDiff({ runId }: RunTurnInput): Promise<void> {
  return runWithFallback(
    () => recordDiff({ runId }),
    async () => {},
  )
}
