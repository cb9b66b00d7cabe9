import { ApplicationFailure } from '@temporalio/activity'
import { pauseBeforeRetry } from '../../domain/chat/pauses.ts'
import { maxFailures } from '../../domain/chat/turns.ts'
import { weightOf, type Frame, type Framer, type ModelOutcome } from '../../domain/log/frames.ts'
import { ModelError, type ModelPart } from '../../providers/model/index.ts'

/** How long one model call may take. */
export const callMs = 600_000

/** A model call failed by itself, and is counted among the failures of its step. */
export class ModelCallFailed extends Error {
  override readonly name = 'ModelCallFailed'
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

/** As how many failures of its step a failed call counts: one that would fail again is not made again. */
export function failureWeight(error: unknown): number {
  return isRetryable(error) ? 1 : maxFailures
}

const maxWaitMs = 60_000

/** How long the provider requested to wait, as far as a turn waits for it. */
export function requestedWaitMs(error: unknown): number | undefined {
  const wait = error instanceof ModelError ? error.retryAfterMs : undefined
  return wait === undefined ? undefined : Math.min(wait, maxWaitMs)
}

/** The failure of a model call as an activity of its own: whether the engine retries it, and after which pause. */
export function modelFailed(error: unknown, failures: number): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'ModelFailed',
    message: 'the model call failed',
    nonRetryable: !isRetryable(error) || failures >= maxFailures,
    nextRetryDelay: pauseBeforeRetry(failures, requestedWaitMs(error)),
  })
}
