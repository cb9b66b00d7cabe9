import { closingFrames, foldFrames, openParts, type IndexedFrame } from '../../../domain/log/fold.ts'
import { endFrames, endRow, type TurnEnd } from '../../../domain/chat/turns.ts'
import type { Tx } from '../../postgres/client.ts'
import { isContentError } from '../../postgres/failures.ts'
import { insertRunAlert } from '../../runs/alerts.ts'
import { isLive, lockRun, type Run } from '../../runs/runs.ts'
import { appendLocked, lockStream, saveHead, type StreamHead } from '../../log/stream.ts'
import { endWithChatRun } from '../../tasks/runs.ts'
import type { TurnTerms } from '../../../domain/chat/turn-terms.ts'
import { closeResumedCalls } from '../questions/approvals.ts'
import { acceptNext, type NextTurn } from '../queue/accept-next.ts'
import { lockChat } from '../queue/queue.ts'
import { chargeTurn, type InterruptedCall } from './charge.ts'
import { closeCommit } from '../commit.ts'
import { closeRun } from './close-run.ts'
import { saveAssistantMessage } from '../message.ts'
import { readStepFrames } from '../steps/frames.ts'

type ChargeOptions = Parameters<typeof chargeTurn>[2]

/** `next`: the turn of the next waiting message. */
export type FinalizeResult = { outcome: 'ended' | 'already' | 'not_charged'; next?: NextTurn | undefined }

/**
 * Ends a run in one transaction: closes open parts, writes `finish`, stores the message as the fold of its frames, charges,
 * releases the slot, revokes the run's key, ends the run and the background run that waits for it, and accepts the next
 * waiting message of the chat. Safe to run again: an ended run does not change. A recorded stop takes precedence over
 * `end`. With `chargesSeparately`, a failed charge becomes an alert; otherwise, the whole transaction fails.
 */
export async function finalizeRun(
  tx: Tx,
  {
    runId,
    end,
    terms,
    chargesSeparately = false,
  }: { runId: string; end: TurnEnd; terms: TurnTerms; chargesSeparately?: boolean },
): Promise<FinalizeResult> {
  const head = await lockStream(tx, runId)
  const run = await lockRun(tx, runId)
  if (run === undefined || head === undefined || !isLive(run.status)) return { outcome: 'already' }
  const effectiveEnd: TurnEnd = run.stopRequestedAt === null ? end : { reason: 'stopped' }
  const { status, toolError } = endRow(effectiveEnd)
  const stepFrames = await readStepFrames(tx, head)
  const interruptedCall =
    effectiveEnd.reason === 'stopped' ? await estimateInterrupted(tx, head, stepFrames) : undefined
  const closing = closingFrames(openParts(stepFrames), {
    toolError,
    keepQuestions: effectiveEnd.reason === 'awaiting_user',
  })
  const resumedFrames = await closeResumedCalls(tx, runId, toolError)
  const ending = [
    ...closing,
    ...resumedFrames,
    ...(await closeCommit(tx, runId, stepFrames)),
    ...endFrames(effectiveEnd),
  ]
  const frames = [...stepFrames, ...ending.map((frame, offset) => ({ index: head.nextSeq + offset, frame }))]
  await appendLocked(
    tx,
    head,
    ending.map((frame) => JSON.stringify(frame)),
  )
  // Locks the session before the chat, in the order in which a turn is accepted.
  const session = await tx`
    update sessions set last_activity_at = now(),
      cached_diff_updated_at = case when diff_run_id = ${runId} then now() else cached_diff_updated_at end,
      hibernate_after = greatest(hibernate_after, now() + make_interval(secs => ${terms.idleTimeoutMs / 1000}::float8))
    where id = ${run.sessionId} and lifecycle_state in ('active', 'hibernating')`
  const chat = await lockChat(tx, run.chatId)
  // A deleted chat has no message to store, but its run still ends.
  if (chat !== undefined) {
    const { parts, metadata } = foldFrames(frames)
    await saveAssistantMessage(tx, {
      chatId: run.chatId,
      messageId: run.assistantMessageId,
      position: head.stepPosition,
      parts,
      metadata: { runId, ...metadata },
    })
  }
  head.foldedSeq = head.nextSeq
  head.openStep = null
  head.state = 'done'
  await saveHead(tx, head)
  const options = { interruptedCall, stopped: effectiveEnd.reason === 'stopped' }
  const charged = await (chargesSeparately ? chargeOrAlert : charge)(tx, run, options)
  const error = effectiveEnd.reason === 'error' ? effectiveEnd.errorText : null
  await closeRun(tx, run, { status, reason: effectiveEnd.reason, error })
  if (run.backgroundRunId !== null) await endWithChatRun(tx, runId)
  const next = chat && (await acceptNext(tx, chat, { end: effectiveEnd, terms, sessionLocked: session.count > 0 }))
  return { outcome: charged ? 'ended' : 'not_charged', next }
}

/** Estimates the tokens of the model call that a stop interrupted: its prompt, and its output at four characters per token. */
async function estimateInterrupted(
  tx: Tx,
  head: StreamHead,
  frames: IndexedFrame[],
): Promise<InterruptedCall | undefined> {
  if (head.openStep === null) return undefined
  const [finishedStep] = await tx`select 1 from run_steps where run_id = ${head.runId} and step = ${head.openStep}`
  if (finishedStep !== undefined) return undefined
  return { inputTokens: head.stepInputTokens, outputTokens: Math.ceil(outputCharacters(frames) / 4) }
}

function outputCharacters(frames: IndexedFrame[]): number {
  return frames.reduce((sum, { frame }) => sum + measureText(frame['delta']) + measureText(frame['inputTextDelta']), 0)
}

function measureText(text: unknown): number {
  return typeof text === 'string' ? text.length : 0
}

/** Charges in a savepoint. A failed charge becomes an alert for the operator, and the run still ends. */
async function chargeOrAlert(tx: Tx, run: Run, options: ChargeOptions): Promise<boolean> {
  try {
    return await tx.savepoint((inner) => charge(inner, run, options))
  } catch (error) {
    if (!isContentError(error)) throw error
    await insertRunAlert(tx, { runId: run.id, accountId: run.accountId, reason: 'not_charged', error })
    return false
  }
}

async function charge(tx: Tx, run: Run, options: ChargeOptions): Promise<boolean> {
  await chargeTurn(tx, run, options)
  return true
}
