import { ApplicationFailure } from '@temporalio/activity'
import { pauseBeforeRetry } from '../../domain/chat/pauses.ts'
import { maxFailures } from '../../domain/chat/turns.ts'
import { weighPart, type Frame, type Framer, type ModelOutcome } from '../../domain/log/frames.ts'
import { ModelError, type ModelPart } from '../../providers/model/index.ts'

/** Time limit of one model call. */
export const callMs = 600_000

/** A model call failed. It counts towards the failures of its step. */
export class ModelCallError extends Error {
  override readonly name = 'ModelCallError'
}

/** Converts the streamed output into frames and awaits each `put`. Throws when the output exceeds `maxWeight`. */
export async function readModelStream(
  parts: AsyncIterable<ModelPart>,
  framer: Framer,
  { maxWeight, put }: { maxWeight: number; put: (frames: Frame[], part?: ModelPart) => Promise<unknown> | undefined },
): Promise<ModelOutcome> {
  let weight = 0
  for await (const part of parts) {
    weight += weighPart(part)
    // A retry would cost as much and fail in the same way.
    if (weight > maxWeight) throw new ModelError('the output of the model exceeds the limit', { retryable: false })
    const full = put(framer.push(part), part)
    if (full !== undefined) await full
  }
  const { frames, outcome } = framer.end()
  await put(frames)
  return outcome
}

/** The valid tool calls, ordered by id. */
export function validCalls({ toolCalls }: ModelOutcome) {
  return toolCalls.filter((call) => call.invalid !== true).toSorted((a, b) => (a.toolCallId < b.toolCallId ? -1 : 1))
}

function isRetryable(error: unknown): boolean {
  return !(error instanceof ModelError) || error.retryable
}

/** Number of failures that a failed call counts as: a call that would fail again uses up all attempts. */
export function failureWeight(error: unknown): number {
  return isRetryable(error) ? 1 : maxFailures
}

const maxWaitMs = 60_000

/** Wait that the provider requested, limited to the longest wait of a turn. */
export function requestedWaitMs(error: unknown): number | undefined {
  const wait = error instanceof ModelError ? error.retryAfterMs : undefined
  return wait === undefined ? undefined : Math.min(wait, maxWaitMs)
}

/** The failure of a model call that runs as its own activity: whether and after which delay the engine retries it. */
export function modelFailed(error: unknown, failures: number): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'ModelFailed',
    message: 'the model call failed',
    nonRetryable: !isRetryable(error) || failures >= maxFailures,
    nextRetryDelay: pauseBeforeRetry(failures, requestedWaitMs(error)),
  })
}
