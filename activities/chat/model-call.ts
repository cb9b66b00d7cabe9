import { ApplicationFailure } from '@temporalio/activity'
import { pauseBeforeRetry } from '../../domain/chat/pauses.ts'
import { maxFailures } from '../../domain/chat/turns.ts'
import { weighPart, type Frame, type Framer, type ModelOutcome } from '../../domain/log/frames.ts'
import { ModelError, type ModelPart, type PartHandler } from '../../providers/model/index.ts'

/** Timeout of one model call. */
export const callTimeoutMs = 600_000

/** The model call of a step failed, and the failure has already been counted. */
export class ModelCallError extends Error {
  override readonly name = 'ModelCallError'
}

/** Converts the parts that `stream` delivers into frames. Throws when the output exceeds `maxWeight`. */
export async function readModelStream(
  stream: (onPart: PartHandler) => Promise<void>,
  framer: Framer,
  {
    maxWeight,
    onFrames,
  }: { maxWeight: number; onFrames: (frames: Frame[], part?: ModelPart) => Promise<void> | undefined },
): Promise<ModelOutcome> {
  let weight = 0
  await stream((part) => {
    weight += weighPart(part)
    // A retry would cost as much and fail in the same way.
    if (weight > maxWeight) throw new ModelError('the output of the model exceeds the limit', { retryable: false })
    return onFrames(framer.push(part), part)
  })
  const { frames, outcome } = framer.end()
  await onFrames(frames)
  return outcome
}

/** Returns the valid tool calls, ordered by id. */
export function validCalls({ toolCalls }: ModelOutcome) {
  return toolCalls.filter((call) => call.invalid !== true).toSorted((a, b) => (a.toolCallId < b.toolCallId ? -1 : 1))
}

function isRetryable(error: unknown): boolean {
  return !(error instanceof ModelError) || error.retryable
}

/** Returns the number of failures to count for an error. An error that a retry cannot resolve uses up all attempts. */
export function failureWeight(error: unknown): number {
  return isRetryable(error) ? 1 : maxFailures
}

const maxWaitMs = 60_000

/** Returns the wait before the retry that the provider requested, at most `maxWaitMs`; undefined if it requested none. */
export function requestedWaitMs(error: unknown): number | undefined {
  const wait = error instanceof ModelError ? error.retryAfterMs : undefined
  return wait === undefined ? undefined : Math.min(wait, maxWaitMs)
}

/** Creates the activity failure of a model call that is not part of a step. `failures`: the failed attempts so far. */
export function createModelFailure(error: unknown, failures: number): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'ModelFailed',
    message: 'the model call failed',
    nonRetryable: !isRetryable(error) || failures >= maxFailures,
    nextRetryDelay: pauseBeforeRetry(failures, requestedWaitMs(error)),
  })
}
