import type { StoredMessage } from '../../domain/chat/messages.ts'
import type { Tx } from '../postgres/client.ts'
import { stricterInherited, withoutLimits, type Inherited, type Origin } from '../../domain/runs/origin.ts'
import { findInherited, inheritedJson } from '../runs/inherited.ts'
import { insertMessageClause } from '../sessions/messages.ts'
import type { Frame } from '../../domain/log/frames.ts'
import { appendLocked, lockStream, saveHead } from '../log/stream.ts'

export type NewTurn = {
  runId: string
  accountId: string
  sessionId: string
  chatId: string
  assistantMessageId: string
  headless: boolean
  origin: Origin
  /** The background run that ends with this run. */
  backgroundRunId?: string | undefined
  modelId: string
  contextLimit: number | undefined
  /** The messages of the request, as the client sent them. */
  input: unknown[]
  /** The user's message, stored before the run starts. Undefined when the turn answers a question. */
  userMessage: StoredMessage | undefined
  /** Title for a chat that is still `New chat`. Empty when the message has no text. */
  title: string
}

/** A new log with its first frame, so that the first reader does not query it. */
export type NewLog = { runId: string; day: string; firstFrame: string }

/** Inserts an accepted turn: run, input, user message, chat title, and log with frame 0. Slot and session must exist. */
export async function insertTurn(tx: Tx, turn: NewTurn): Promise<NewLog> {
  const { runId, chatId, assistantMessageId, userMessage, origin } = turn
  // For a person's turn, no query precedes the insert, so that it is pipelined with the caller's next statement.
  const inherited = 'run' in origin || userMessage === undefined ? await findInheritedBy(tx, turn) : origin.inherited
  const firstFrame = JSON.stringify({ type: 'start', messageId: assistantMessageId })
  const [log] = await tx<{ day: string }[]>`
    with run as (
      insert into runs (id, account_id, session_id, chat_id, assistant_message_id, headless, source, model_id,
        context_limit, background_run_id, inherited)
      values (${runId}, ${turn.accountId}, ${turn.sessionId}, ${chatId}, ${assistantMessageId}, ${turn.headless},
        ${origin.source}, ${turn.modelId}, ${turn.contextLimit ?? null}, ${turn.backgroundRunId ?? null},
        ${inheritedJson(inherited)}::text::jsonb)
    ), input as (
      insert into run_inputs (run_id, messages) values (${runId}, ${JSON.stringify(turn.input)}::text::json)
    ), titled as (
      update chats set title = ${turn.title}
      where id = ${chatId} and ${turn.title} <> '' and case when title = 'New chat' then not exists (
        select 1 from chat_message_parts p
        where p.chat_id = ${chatId} and p.part ->> 'type' = 'text' and p.part ->> 'text' <> ''
      ) else false end
    ), ${userMessage === undefined ? tx`` : tx`${insertMessageClause(tx, chatId, userMessage)},`} head as (
      insert into stream_head (run_id, day, next_seq, step_position)
      values (${runId}, (now() at time zone 'utc')::date, 1, (
        select count(*) from chat_message_parts
        where chat_id = ${chatId} and message_id = ${assistantMessageId}
      ))
      returning run_id, day
    )
    insert into stream_chunk (run_id, seq, day, body) select run_id, 0, day, ${firstFrame} from head
    returning day::text as day`
  return { runId, day: log?.day ?? '', firstFrame }
}

/**
 * Returns what the turn inherits. A turn that continues a message, for example after an answer, keeps the approvals that
 * the previous turn inherited.
 */
async function findInheritedBy(tx: Tx, { origin, sessionId, chatId, assistantMessageId, userMessage }: NewTurn) {
  const inherited = await findInherited(tx, origin)
  if (userMessage !== undefined) return inherited
  const [previous] = await tx<{ inherited: Inherited }[]>`
    select inherited from runs
    where session_id = ${sessionId} and chat_id = ${chatId} and assistant_message_id = ${assistantMessageId} and inherited is not null
    order by created_at desc limit 1`
  return stricterInherited(inherited, withoutLimits(previous?.inherited ?? null))
}

/** Appends frames to a log that was created in this transaction. */
export async function appendToLog(tx: Tx, runId: string, frames: Frame[]): Promise<void> {
  const head = await lockStream(tx, runId)
  if (head === undefined) throw new Error(`run ${runId} has no log`)
  await appendLocked(
    tx,
    head,
    frames.map((frame) => JSON.stringify(frame)),
  )
  await saveHead(tx, head)
}
