import { closingFrames, openParts } from '../../../domain/log/fold.ts'
import type { Tx } from '../../postgres/client.ts'
import { attemptsPerStep, insertAttempt } from '../../log/attempts.ts'
import { appendLocked, type StreamHead } from '../../log/stream.ts'
import { readStepFrames, serializeFrames } from './frames.ts'

/** Retracts the frames of the previous attempt and records the attempt. */
export async function retractAttempt(tx: Tx, head: StreamHead, step: number): Promise<void> {
  await retractFrames(tx, head, step)
  await insertAttempt(tx, {
    runId: head.runId,
    step,
    attempt: head.fence % attemptsPerStep,
    reason: head.abandonedReason ?? 'worker_lost',
    detail: head.abandonedDetail,
    startedAt: head.stepOpenedAt,
    endedAt: head.abandonedAt,
  })
}

/**
 * Closes the open parts of an abandoned attempt of this step, and appends a `data-retract` frame with the ids of the
 * attempt's parts.
 */
async function retractFrames(tx: Tx, head: StreamHead, step: number): Promise<void> {
  const frames = (await readStepFrames(tx, head)).filter(({ index }) => index >= head.stepSeq)
  const closing = closingFrames(openParts(frames), { toolError: 'Retracted', keepQuestions: false })
  const attempt = head.fence % attemptsPerStep
  const abandoned = [...frames.map(({ frame }) => frame), ...closing]
  const listIds = (member: 'id' | 'toolCallId', types: string[]): string[] => [
    ...new Set(abandoned.filter((frame) => types.includes(frame.type)).map((frame) => String(frame[member]))),
  ]
  const data = {
    step,
    attempt,
    fromIndex: head.stepSeq,
    toIndex: head.nextSeq + closing.length - 1,
    partIds: listIds('id', ['text-start', 'reasoning-start']),
    toolCallIds: listIds('toolCallId', ['tool-input-start', 'tool-input-available', 'tool-input-error']),
    reason: head.abandonedReason ?? 'worker_lost',
  }
  const frame = { type: 'data-retract', id: `${head.runId}:${step}:${attempt}`, data, transient: true }
  await appendLocked(tx, head, serializeFrames([...closing, frame]))
}
