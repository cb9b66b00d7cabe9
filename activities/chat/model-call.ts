import { ApplicationFailure, CancelledFailure } from '@temporalio/activity'
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

/** How a failed model call is told to the engine: what may help again, and after which pause. */
export function modelFailed(error: unknown, failures: number): ApplicationFailure {
  const wait = error instanceof ModelError ? error.retryAfterMs : undefined
  return ApplicationFailure.create({
    type: 'ModelFailed',
    message: 'the model call failed',
    nonRetryable: !isRetryable(error) || failures >= maxFailures,
    nextRetryDelay: Math.max(pauseBeforeRetry(failures), Math.min(wait ?? 0, 60_000)),
  })
}

export function pauseBeforeRetry(failures: number): number {
  return Math.min(1000 * 2 ** (failures - 1), 10_000)
}
