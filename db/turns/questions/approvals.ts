import type { MessagePart } from '../../../domain/chat/messages.ts'
import type { Tx } from '../../postgres/client.ts'
import { appendLocked, lockStream, saveHead } from '../../log/stream.ts'
import { StaleWriterError } from '../../log/writer.ts'
import { replaceToolPart } from '../../sessions/messages.ts'
import type { Frame } from '../../../domain/log/frames.ts'
import { serializeFrames } from '../steps/frames.ts'
import { findToolPart } from '../steps/tool.ts'

const granted = 'approval-responded'
const denied = 'output-denied'

/**
 * Passes the tool calls that the user approved or denied to an accepted turn. Approved calls become the calls of its first
 * step, which has no model call. Denied calls are written to the log. Call it in the transaction that accepts the turn.
 */
export async function resumeCalls(
  tx: Tx,
  run: { runId: string; modelId: string },
  answeredParts: readonly MessagePart[],
): Promise<void> {
  const calls = answeredParts.filter((part) => part['state'] === granted || part['state'] === denied)
  if (calls.length === 0) return
  await closeRequests(tx, calls)
  await insertGranted(
    tx,
    run,
    calls.filter((part) => part['state'] === granted),
  )
  await appendDenials(
    tx,
    run.runId,
    calls.filter((part) => part['state'] === denied),
  )
}

/** Ends the approved calls of a turn that have no result, and returns their frames. Call it in the finalize transaction. */
export async function closeResumedCalls(tx: Tx, runId: string, errorText: string): Promise<Frame[]> {
  const openCalls = await tx<{ toolCallId: string }[]>`
    update run_tool_calls set ended_at = now(), holder = null
    where run_id = ${runId} and approval = 'granted' and ended_at is null
    returning tool_call_id`
  for (const { toolCallId } of openCalls) {
    const toolPart = await findToolPart(tx, { runId, toolCallId })
    if (toolPart === undefined) continue
    const { output: _, preliminary: __, ...part } = toolPart.part
    await replaceToolPart(tx, toolPart.chatId, toolPart.messageId, toolCallId, {
      ...part,
      state: 'output-error',
      errorText,
    })
  }
  return openCalls.map(({ toolCallId }) => ({ type: 'tool-output-error', toolCallId, errorText }))
}

/** Marks the rows of the requesting turn as answered. */
async function closeRequests(tx: Tx, calls: readonly MessagePart[]): Promise<void> {
  await tx`
    update run_tool_calls set approval = answer.approval, approval_expires_at = null
    from unnest(
      ${calls.map(readApprovalId)}::text[],
      ${calls.map((part) => (part['state'] === granted ? 'granted' : 'denied'))}::text[]
    ) as answer (id, approval)
    where run_tool_calls.approval_id = answer.id and run_tool_calls.approval = 'requested'`
}

async function insertGranted(
  tx: Tx,
  { runId, modelId }: { runId: string; modelId: string },
  calls: readonly MessagePart[],
): Promise<void> {
  if (calls.length === 0) return
  await tx`
    insert into run_steps (run_id, step, attempt, finish_reason, goes_on, model_id)
    values (${runId}, 0, 0, 'tool-calls', true, ${modelId})`
  await tx`
    insert into run_tool_calls (run_id, step, tool_call_id, tool_name, input, approval_id, approval)
    select ${runId}, 0, call.id, call.name, call.input::json, call.approval_id, 'granted'
    from unnest(
      ${calls.map((part) => String(part['toolCallId']))}::text[], ${calls.map(({ type }) => type.slice('tool-'.length))}::text[],
      ${calls.map(({ input }) => JSON.stringify(input ?? {}))}::text[], ${calls.map(readApprovalId)}::text[]
    ) as call (id, name, input, approval_id)`
}

async function appendDenials(tx: Tx, runId: string, calls: readonly MessagePart[]): Promise<void> {
  if (calls.length === 0) return
  const head = await lockStream(tx, runId)
  if (head === undefined) throw new StaleWriterError('the run has no log')
  const frames = calls.map(({ toolCallId }) => ({ type: 'tool-output-denied', toolCallId }))
  await appendLocked(tx, head, serializeFrames(frames))
  head.foldedSeq = head.nextSeq
  await saveHead(tx, head)
}

function readApprovalId(part: MessagePart): string {
  return String((part['approval'] as { id?: unknown } | undefined)?.id)
}
