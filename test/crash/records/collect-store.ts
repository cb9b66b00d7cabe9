import type { Pool, Tx } from '../../../db/postgres/client.ts'
import type { Store } from './records.ts'

/** Maximum number of ids in one query. */
const batchSize = 200

const listInBatches = async <T>(
  ids: readonly string[],
  list: (batch: string[]) => Promise<readonly T[]>,
): Promise<T[]> => {
  const allRows: T[] = []
  for (let start = 0; start < ids.length; start += batchSize) {
    const rows = await list(ids.slice(start, start + batchSize))
    for (const row of rows) allRows.push(row)
  }
  return allRows
}

/** Selects milliseconds with their fraction, so that equal times of one transaction remain equal. */
const selectMs = (tx: Tx, column: string) => tx`(extract(epoch from ${tx(column)}) * 1000)::float8`

const listRuns = (tx: Tx, since: number): Promise<Store['runs']> =>
  tx<Store['runs']>`
    select id, account_id as "accountId", chat_id as "chatId", session_id as "sessionId", status, end_reason as "endReason", error,
      assistant_message_id as "assistantMessageId", ${selectMs(tx, 'created_at')} as "createdAt",
      ${selectMs(tx, 'ended_at')} as "endedAt", ${selectMs(tx, 'stop_requested_at')} as "stopRequestedAt",
      coalesce((select batch from stream_head where run_id = runs.id), 0)::int as batches
    from runs where created_at >= to_timestamp(${since / 1000}::float8) order by created_at, id`

const listMessages = (tx: Tx, chatIds: string[]) =>
  listInBatches(
    chatIds,
    (batch) => tx<Store['messages']>`
      select m.chat_id as "chatId", m.branch_id as "branchId", m.id, m.role, m.position, (extract(epoch from m.created_at) * 1000)::float8 as "createdAt",
        m.metadata, (
          select coalesce(json_agg(p.part order by p.position), '[]') from chat_message_parts p
          where p.chat_id = m.chat_id and p.message_id = m.id
        ) as parts
      from chat_messages m where m.chat_id = any(${batch}::uuid[]) order by m.chat_id, m.position`,
  )

/** Collects all rows of the runs that were accepted since a time, and of their chats and accounts. */
export const collectStore = (db: Pool, since: number): Promise<Store> =>
  db.begin('isolation level repeatable read read only', async (tx) => {
    const runs = await listRuns(tx, since)
    const runIds = runs.map((run) => run.id)
    const chatIds = [...new Set(runs.map((run) => run.chatId))]
    const accountIds = [...new Set(runs.map((run) => run.accountId))]
    const frames = await listInBatches(
      runIds,
      (batch) => tx<Store['frames']>`
        select run_id as "runId", seq, body from stream_chunk where run_id = any(${batch}::text[]) order by run_id, seq`,
    )
    const steps = await listInBatches(
      runIds,
      (batch) => tx<Store['steps']>`
        select run_id as "runId", step, attempt, finish_reason as "finishReason", ${selectMs(tx, 'created_at')} as "createdAt"
        from run_steps where run_id = any(${batch}::text[]) order by run_id, step`,
    )
    const attempts = await listInBatches(
      runIds,
      (batch) => tx<Store['attempts']>`
        select run_id as "runId", step, attempt, reason from run_attempts
        where run_id = any(${batch}::text[]) and call_id = '' order by run_id, step, attempt`,
    )
    const toolCalls = await listInBatches(
      runIds,
      (batch) => tx<Store['toolCalls']>`
        select run_id as "runId", tool_call_id as "toolCallId", step, ${selectMs(tx, 'started_at')} as "startedAt",
          ${selectMs(tx, 'ended_at')} as "endedAt"
        from run_tool_calls where run_id = any(${batch}::text[]) order by run_id, tool_call_id`,
    )
    const ledger = await listInBatches(
      accountIds,
      (batch) => tx<Store['ledger']>`
        select account_id as "accountId", reference, amount, ${selectMs(tx, 'created_at')} as "createdAt"
        from credit_ledger where account_id = any(${batch}::uuid[]) order by id`,
    )
    const balances = await listInBatches(
      accountIds,
      (batch) => tx<Store['balances']>`
        select account_id as "accountId", remaining_credits as balance
        from credit_balances where account_id = any(${batch}::uuid[])`,
    )
    const chats = await listInBatches(
      chatIds,
      (batch) => tx<Store['chats']>`
        select id, active_stream_id as "activeStreamId", queue_hold as hold from chats where id = any(${batch}::uuid[])`,
    )
    const queue = await listInBatches(
      chatIds,
      (batch) => tx<Store['queue']>`
        select id, chat_id as "chatId", message_id as "messageId", state, on_busy as "onBusy", run_id as "runId",
          ${selectMs(tx, 'created_at')} as "createdAt"
        from chat_queue where chat_id = any(${batch}::uuid[]) order by chat_id, place`,
    )
    const messages = await listMessages(tx, chatIds)
    return { runs, frames, messages, steps, attempts, toolCalls, ledger, balances, chats, queue }
  })

/** Lists the sessions of the runs that were accepted since a time. Sandboxes are named by their session. */
export const listSessions = async (db: Pool, since: number): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    select distinct session_id as id from runs where created_at >= to_timestamp(${since / 1000}::float8)`
  return rows.map((row) => row.id)
}
