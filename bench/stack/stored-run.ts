import type { Pool } from '../../db/postgres/client.ts'
import { newRunId } from '../../domain/fields/ids.ts'
import type { OpenChat } from './stack.ts'

export type StoredRun = { runId: string; chat: OpenChat }

/**
 * Stores a live run for each chat. Its log contains `frames` frames of text. Stop the worker first, because no worker
 * may write to these logs.
 */
export async function storeLiveRuns(db: Pool, chats: OpenChat[], frames: number): Promise<StoredRun[]> {
  const runs = chats.map((chat) => ({ runId: newRunId(), chat }))
  const runIds = runs.map(({ runId }) => runId)
  const chatIds = chats.map(({ chatId }) => chatId)
  await db.begin(async (tx) => {
    await tx`
      insert into runs (id, account_id, session_id, chat_id, assistant_message_id, status, source, model_id,
        engine_started_at, started_at)
      select t.run_id, sessions.account_id, sessions.id, chats.id, gen_random_uuid(), 'running', 'api',
        'custom/default', now(), now()
      from unnest(${runIds}::text[], ${chatIds}::uuid[]) as t (run_id, chat_id)
      join chats on chats.id = t.chat_id join sessions on sessions.id = chats.session_id`
    await tx`
      update chats set active_stream_id = t.run_id
      from unnest(${runIds}::text[], ${chatIds}::uuid[]) as t (run_id, chat_id) where chats.id = t.chat_id`
    await tx`
      insert into stream_head (run_id, day, next_seq)
      select run_id, (now() at time zone 'utc')::date, ${frames}::int from unnest(${runIds}::text[]) as run_id`
    await tx`
      insert into stream_chunk (run_id, seq, day, body)
      select run_id, seq, (now() at time zone 'utc')::date,
        case seq when 0 then '{"type":"start","messageId":"bench"}'
        else '{"type":"text-delta","id":"text-0","delta":"the token with number ' || seq || ' "}' end
      from unnest(${runIds}::text[]) as run_id, generate_series(0, ${frames}::int - 1) as seq`
  })
  await db`analyze stream_chunk`
  return runs
}
