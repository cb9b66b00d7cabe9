import type { Frame } from '../log/frames.ts'
import type { RejectionCause } from './model-rejections.ts'

/** The fixed texts of `error` frames. */
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

/** Error texts by the cause of a provider's rejection. */
const rejectionTexts: Record<string, RunErrorText | undefined> = {
  image: 'The model refused an attachment of this chat',
  audio: 'The model refused an attachment of this chat',
  file: 'The model refused an attachment of this chat',
  reasoning: 'The model refused the history of this chat',
  tools: 'The model refused the history of this chat',
  policy: 'The model refused the content of this chat',
  length: 'The chat is too long for this model',
  'unknown-model': 'The model is not available',
} satisfies Record<RejectionCause, RunErrorText>

/** Returns the error text of a turn whose model call failed permanently. */
export function modelErrorText(rejection: string | undefined): RunErrorText {
  return rejectionTexts[rejection ?? ''] ?? 'The model call failed'
}

/** How a workflow ends its turn. A recorded stop takes precedence. */
export type TurnEnd =
  | { reason: 'natural'; finishReason: string }
  | { reason: 'awaiting_user' }
  | { reason: 'step_limit' }
  | { reason: 'stopped' }
  | { reason: 'error'; errorText: RunErrorText }
  | { reason: 'time_limit' }

type EndRow = { status: 'completed' | 'failed' | 'cancelled'; finishReason: string; toolError: string }

/** Returns the run's status, its finish reason and the error text of open tool calls for the end of a turn. */
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

/** Returns the frames that end a log: an error or abort, if any, then `finish`. */
export function endFrames(end: TurnEnd): Frame[] {
  const { finishReason } = endRow(end)
  const finish = { type: 'finish', finishReason, messageMetadata: { endReason: end.reason } }
  if (end.reason === 'stopped') return [{ type: 'abort', reason: 'user' }, finish]
  if (end.reason === 'error') return [{ type: 'error', errorText: end.errorText }, finish]
  if (end.reason === 'time_limit') return [{ type: 'error', errorText: 'The run exceeded its time limit' }, finish]
  return [finish]
}

/** Number of the attempt at step 0 that a head start makes before the activity arrives. */
export const headStartAttempt = 0

/** Maximum number of failed model calls per step. */
export const maxFailures = 3

/** A tool call that has no result yet. */
export type OpenCall = {
  toolCallId: string
  toolName: string
  input: unknown
  /** Number of started attempts. */
  attempts: number
  /** True if the first attempt was started together with the end of the model call. Known only to the process that did this. */
  isStarted?: boolean
}

/** Result of the model call of a step. */
export type StepResult = {
  finishReason: string
  /** Calls to execute that have no result, in the order of their ids. */
  openCalls: OpenCall[]
  /** True if a call of the step waits for the user's answer or approval. */
  awaitsUser: boolean
}

/**
 * Next action of a turn's workflow after a batch of steps: short values and ids, never content. `commit`: commit and push,
 * then end the run. `nothing`: the run has ended; `recordsDiff`: record the diff of its session.
 */
export type TurnAction =
  | { next: 'advance' }
  | Pause
  | { next: 'compact'; step: number }
  | { next: 'subAgents'; toolCallIds: string[]; runsTools: boolean }
  | { next: 'commit'; end: TurnEnd }
  | { next: 'nothing'; recordsDiff: boolean }

/** Next action after a batch of a sub-agent's steps. */
export type SubAgentAction = { next: 'advance' } | Pause | { next: 'nothing' }

/** Pause before the next batch, because a dependency is busy or has failed. */
export type Pause = { next: 'pause'; ms: number }
