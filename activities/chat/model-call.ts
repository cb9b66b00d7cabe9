import { ApplicationFailure, CancelledFailure } from '@temporalio/activity'
import type { FailedHeadStart } from '../../db/log/attempts.ts'
import { StaleWriter } from '../../db/log/writer.ts'
import { maxFailures } from '../../domain/chat/turns.ts'
import { weightOf, type Frame, type Framer, type ModelOutcome } from '../../domain/log/frames.ts'
import { ModelError, type ModelPart } from '../../providers/model/index.ts'
import type { ActivityDeps } from '../deps.ts'
import { runClosed } from './closed.ts'
import { withWorkerLock } from './working.ts'

/**
 * One attempt at a model call of a turn or of a sub-agent. `findStored`: the end of the step, which a commit may have
 * stored whose answer was lost. Only what the model did counts among its failures: not a worker that was lost or is
 * leaving, and nothing that comes as a failure for the engine, which is counted already.
 */
export async function attemptModelCall<T>(
  deps: ActivityDeps,
  runId: string,
  step: {
    work: (signal: AbortSignal) => Promise<T>
    findStored: () => Promise<T | undefined>
    countFailure: () => Promise<number>
  },
): Promise<T> {
  try {
    return await withWorkerLock(deps, runId, step.work)
  } catch (error) {
    if (error instanceof StaleWriter) {
      const stored = await step.findStored()
      if (stored === undefined) throw runClosed()
      return stored
    }
    if (error instanceof CancelledFailure || error instanceof ApplicationFailure) throw error
    throw modelFailed(error, await step.countFailure())
  }
}

/** What the engine cuts off nobody can report: a call ends itself before that. */
const reportMs = 5000

/** The time of a model call that is cut off after `callMs`. */
export function startClock(callMs: number): { signal: AbortSignal; stop(): void } {
  const clock = new AbortController()
  const timer = setTimeout(() => clock.abort(new Error('the model call took too long')), callMs - reportMs)
  return { signal: clock.signal, stop: () => clearTimeout(timer) }
}

/** Makes frames of an answer as it comes. What `put` answers is waited for. Throws for an answer over `maxWeight`. */
export async function readAnswer(
  parts: AsyncIterable<ModelPart>,
  framer: Framer,
  { maxWeight, put }: { maxWeight: number; put: (frames: Frame[], part?: ModelPart) => Promise<unknown> | undefined },
): Promise<ModelOutcome> {
  let weight = 0
  for await (const part of parts) {
    weight += weightOf(part)
    // Asking again would cost as much and bring as little.
    if (weight > maxWeight) throw new ModelError('the model does not come to an end', { retryable: false })
    const full = put(framer.push(part), part)
    if (full !== undefined) await full
  }
  const { frames, outcome } = framer.end()
  await put(frames)
  return outcome
}

/** The calls to execute, in the order of their ids. */
export function validCalls({ toolCalls }: ModelOutcome) {
  return toolCalls.filter((call) => call.invalid !== true).toSorted((a, b) => (a.toolCallId < b.toolCallId ? -1 : 1))
}

function isRetryable(error: unknown): boolean {
  return !(error instanceof ModelError) || error.retryable
}

/** As how many failures of its step a failed call counts: what would fail again is not asked again by whoever comes next. */
export function failureWeight(error: unknown): number {
  return isRetryable(error) ? 1 : maxFailures
}

/** How long the provider asked to wait, as far as a turn waits for it. */
export function requestedWaitMs(error: unknown): number | undefined {
  const wait = error instanceof ModelError ? error.retryAfterMs : undefined
  return wait === undefined ? undefined : Math.min(wait, maxWaitMs)
}

/** The failure of a model call as the engine sees it: whether it retries the call, and after which pause. */
export function modelFailed(error: unknown, failures: number, knownFault?: string): ApplicationFailure {
  const fault = error instanceof ModelError ? error.fault : knownFault
  return ApplicationFailure.create({
    type: 'ModelFailed',
    message: 'the model call failed',
    nonRetryable: !isRetryable(error) || failures >= maxFailures,
    ...(fault !== undefined && { details: [fault] }),
    nextRetryDelay: pauseBeforeRetry(failures, requestedWaitMs(error)),
  })
}

/**
 * The failure of a head start as the engine sees it, reported by the first attempt of the activity: the next one makes
 * the call. So the pause and the number of that call do not depend on when the activity began.
 */
export function headStartFailed({ sinceMs, retryAfterMs }: FailedHeadStart, failures: number): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'ModelFailed',
    message: 'the model call failed',
    nextRetryDelay: Math.max(1, Math.round(pauseBeforeRetry(failures, retryAfterMs ?? 0) - sinceMs)),
  })
}

const maxWaitMs = 60_000

function pauseBeforeRetry(failures: number, waitMs = 0): number {
  return Math.max(Math.min(1000 * 2 ** (failures - 1), 10_000), waitMs)
}
