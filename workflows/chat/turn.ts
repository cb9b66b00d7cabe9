import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  ContinueAsNew,
  continueAsNew,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  sleep,
  workflowInfo,
} from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import type { TurnAction, RunErrorText, TurnEnd } from '../../domain/chat/turns.ts'
import { databaseActivityOptions } from '../runtime/retries.ts'
import { toHeavyQueue, priorities } from '../messages.ts'
import type { RunTurnInput } from './messages.ts'
import { compactBefore } from './compact.ts'
import { commitAndPush, recordDiffAfter } from '../repositories/repositories.ts'
import { runSubAgents } from './sub-agents.ts'

const { beginTurn, finalizeTurn } = proxyActivities<Activities>(databaseActivityOptions)

// The batch counts failures of models and tools itself. These attempts cover only lost workers and shutdowns. Other workers
// report a killed or stalled worker before the heartbeat timeout, which is long because frequent heartbeats are expensive:
// with many streams, they are most of the engine's work. A stop reaches the batch without the engine.
const { advanceTurn } = proxyActivities<Activities>({
  startToCloseTimeout: '15m',
  heartbeatTimeout: '60s',
  retry: { initialInterval: '100ms', maximumInterval: '10s', maximumAttempts: 25 },
})

// A local activity, because it reads the memory of the worker that executes the workflow task.
const { endedAhead } = proxyLocalActivities<Activities>({ startToCloseTimeout: '2s', retry: { maximumAttempts: 1 } })

// The activity counts its own failures. These attempts cover only lost workers and shutdowns.
const { restoreFiles } = proxyActivities<Activities>({
  startToCloseTimeout: '3m',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '200ms', maximumInterval: '5s', maximumAttempts: 25 },
})

const errorTexts: Record<string, RunErrorText> = {
  SandboxFailed: 'The sandbox could not be started',
  RepositoryDenied: 'Access denied to this organization',
  RestoreFailed: 'The files could not be restored',
}

const timeLimit = 'TimeLimit'

/** Delay of the first workflow task after which a head start is likely to have ended a quick turn. */
const lateTaskMs = 50

type FinalAction = Extract<TurnAction, { next: 'commit' | 'nothing' }>

/**
 * One chat turn: batches of model calls and tools until the model has finished, then the commit and the end of the run.
 */
export async function runTurn(turn: RunTurnInput): Promise<void> {
  const { runId } = turn
  let end: TurnEnd
  try {
    const { headless = false, timeLimitMs } = hasLimit(turn) ? turn : await beginTurn({ runId })
    const withTimeLimit = createTimeLimit(timeLimitMs)
    if (headless) await withTimeLimit(() => provisionTurn(runId))
    if (turn.restoresFiles === true) await withTimeLimit(() => restoreFiles({ runId }))
    const finalAction = await advance(turn, withTimeLimit)
    if (finalAction.next === 'nothing') return await (finalAction.recordsDiff ? recordDiffAfter(turn) : undefined)
    await commitAndPush(turn)
    ;({ end } = finalAction)
  } catch (error) {
    if (error instanceof ContinueAsNew) throw error
    end = toTurnEnd(error)
  }
  const mayHaveChanges = await CancellationScope.nonCancellable(() => finalizeTurn({ runId, end }))
  if (mayHaveChanges && end.reason !== 'natural') await recordDiffAfter(turn)
}

/**
 * Runs batches until the turn has ended. While the engine is slow to deliver the first workflow task, a head start may
 * already have ended the turn. Reading its outcome then costs one event instead of an activity and a second workflow task.
 */
async function advance(turn: RunTurnInput, withTimeLimit: TimeLimit): Promise<FinalAction> {
  const headStartOutcome = isFirstTaskLate(turn) ? await endedAhead({ runId: turn.runId }).catch(ignoreFailure) : null
  return headStartOutcome?.next === 'nothing' ? headStartOutcome : advanceInBatches(turn, withTimeLimit)
}

/** True if a head start may have ended the turn by now. Turns that first prepare a sandbox or files have no head start. */
function isFirstTaskLate(turn: RunTurnInput): boolean {
  if (!hasLimit(turn) || turn.headless === true || turn.restoresFiles === true) return false
  return Date.now() - workflowInfo().startTime.getTime() >= lateTaskMs
}

/** The lookup is only a shortcut, so its failures are ignored. */
function ignoreFailure(error: unknown): null {
  if (isCancellation(error)) throw error
  return null
}

/** Runs batches until the turn has ended, and between them the pauses, summaries and sub-agents, which need the engine. */
async function advanceInBatches(turn: RunTurnInput, withTimeLimit: TimeLimit): Promise<FinalAction> {
  const { runId } = turn
  // An eagerly started activity does not inherit the fairness key of its workflow.
  const work = { runId, accountId: workflowInfo().priority?.fairnessKey }
  for (let compacted = false; ;) {
    const action = await advanceTurn({ ...work, ...(compacted && { compacted }) })
    switch (action.next) {
      case 'commit':
      case 'nothing':
        return action
      case 'pause':
        await withTimeLimit(() => sleep(action.ms))
        break
      case 'compact':
        compacted = true
        await withTimeLimit(() => compactBefore({ runId, step: action.step }))
        break
      case 'subAgents': {
        const { toolCallIds, runsTools } = action
        const runTools = async () => runsTools && advanceTurn({ ...work, besideSubAgents: true })
        await withTimeLimit(() => Promise.all([runSubAgents(work, toolCallIds), runTools()]))
        break
      }
      case 'advance':
        break
      default:
        action satisfies never
    }
    // Without `timeLimitMs` the continued workflow reads the remaining time.
    const { timeLimitMs: _, ...rest } = turn
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof runTurn>(rest)
  }
}

function hasLimit(turn: RunTurnInput): turn is RunTurnInput & { timeLimitMs: number } {
  return turn.timeLimitMs !== undefined
}

type TimeLimit = <T>(work: () => Promise<T>) => Promise<T>

/** Returns a function that cancels work at the time limit of the turn. Batches check the limit themselves. */
function createTimeLimit(limitMs: number): TimeLimit {
  const endsAt = Date.now() + limitMs
  return async (work) => {
    const outerScope = CancellationScope.current()
    try {
      return await CancellationScope.withTimeout(Math.max(1, endsAt - Date.now()), work)
    } catch (error) {
      if (!isCancellation(error) || outerScope.consideredCancelled) throw error
      throw ApplicationFailure.nonRetryable('the turn took too long', timeLimit)
    }
  }
}

// The activity counts its own failures. These attempts cover only lost workers and shutdowns.
function provisionTurn(runId: string): Promise<void> {
  return proxyActivities<Activities>({
    taskQueue: toHeavyQueue(workflowInfo().taskQueue),
    priority: priorities.background,
    startToCloseTimeout: '5m',
    heartbeatTimeout: '10s',
    retry: { initialInterval: '1s', maximumInterval: '10s', maximumAttempts: 25 },
  }).provisionTurn({ runId })
}

/** Maps an unhandled failure to the end that clients see. The message of the failure stays in the engine. */
function toTurnEnd(error: unknown): TurnEnd {
  if (isCancellation(error)) return { reason: 'stopped' }
  const cause = error instanceof ActivityFailure ? error.cause : error
  const type = cause instanceof ApplicationFailure ? (cause.type ?? '') : ''
  if (type === timeLimit) return { reason: 'time_limit' }
  return { reason: 'error', errorText: errorTexts[type] ?? 'Internal error' }
}
