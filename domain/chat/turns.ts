import type { Frame } from '../log/frames.ts'

/** The fixed texts that an `error` frame may carry. */
export type RunErrorText =
  | 'The model call failed'
  | 'The model refused an attachment of this chat'
  | 'The model refused the history of this chat'
  | 'The model refused the content of this chat'
  | 'The chat is too long for this model'
  | 'The model is not available'
  | 'The sandbox could not be started'
  | 'Access denied to this organization'
  | 'The files could not be restored'
  | 'The run exceeded its time limit'
  | 'The run was lost'
  | 'Internal error'

/** How a turn ends, as its workflow sees it. A recorded stop wins over every one of them. */
export type TurnEnd =
  | { reason: 'natural'; finishReason: string }
  | { reason: 'awaiting_user' }
  | { reason: 'step_limit' }
  | { reason: 'stopped' }
  | { reason: 'error'; errorText: RunErrorText }
  | { reason: 'time_limit' }

type EndRow = { status: 'completed' | 'failed' | 'cancelled'; finishReason: string; toolError: string }

/** Status, finish reason and the text of tool calls left open, for each way a turn ends. */
export function endRow(end: TurnEnd): EndRow {
  switch (end.reason) {
    case 'natural':
      return { status: 'completed', finishReason: end.finishReason, toolError: 'Interrupted' }
    case 'awaiting_user':
    case 'step_limit':
      return { status: 'completed', finishReason: 'tool-calls', toolError: 'Interrupted' }
    case 'stopped':
      return { status: 'cancelled', finishReason: 'other', toolError: 'Cancelled' }
    case 'error':
    case 'time_limit':
      return { status: 'failed', finishReason: 'error', toolError: 'Interrupted' }
    default:
      return end satisfies never
  }
}

/** The frames that end a log: the error or abort that is due, then `finish`. */
export function endFrames(end: TurnEnd): Frame[] {
  const { finishReason } = endRow(end)
  const finish = { type: 'finish', finishReason, messageMetadata: { endReason: end.reason } }
  if (end.reason === 'stopped') return [{ type: 'abort', reason: 'user' }, finish]
  if (end.reason === 'error') return [{ type: 'error', errorText: end.errorText }, finish]
  if (end.reason === 'time_limit') return [{ type: 'error', errorText: 'The run exceeded its time limit' }, finish]
  return [finish]
}

/**
 * Numbers the attempts of a step over all engine runs of its turn: a workflow that was begun anew counts its own
 * attempts from 1 again, and every one of them comes after all attempts of the workflow before.
 */
export function attemptNumber(restart: number, attempt: number): number {
  return restart * 1000 + attempt
}

/** The attempt at step 0 that a worker begins as soon as the turn is accepted, before the engine has it. */
export const headStartAttempt = 0

/** Model calls of one step that may fail by themselves. */
export const maxFailures = 3

/** What a finished step tells the workflow: ids and short words, never content. */
export type StepResult = {
  finishReason: string
  /** Tool calls to execute. */
  toolCalls: { toolCallId: string; toolName: string }[]
  /** True when a part of the step waits for the user's answer or approval. */
  awaitsUser: boolean
  /** True when the turn ends with this step, used no tool, and an earlier one left work that is not kept yet. */
  owesCommit?: boolean
  /** True when the model was not called: the history before the turn is to be summarised first. */
  needsCompaction?: true
}
