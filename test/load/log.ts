import type { Pool } from '../../db/postgres/client.ts'
import { acceptRun } from '../world/sessions/session-rows.ts'
import type { TestAccount, World } from '../world/world.ts'

/** A chat with an unfinished run. No worker executes the run. The test writes its stream log. */
export type TestLog = {
  runId: string
  sessionId: string
  chatId: string
  key: string
  /** Returns the path of the run's stream from an index on. */
  path(startIndex?: number): string
  /** Appends frames with this number of bytes of text each, and wakes the readers. */
  append(frames: number, textBytes: number): Promise<void>
  /** Ends the log and the run. */
  finish(): Promise<void>
}

const addFrames = (db: Pool, runId: string, frames: number, textBytes: number) => db`
  with head as (
    update stream_head set next_seq = next_seq + ${frames} where run_id = ${runId}
    returning run_id, day, next_seq - ${frames}::int as first
  )
  insert into stream_chunk (run_id, seq, day, body)
  select run_id, first + place, day,
    '{"type":"text-delta","id":"txt_0_1_0","delta":"' || repeat(chr(97 + (first + place) % 26), ${textBytes}) || '"}'
  from head, generate_series(0, ${frames}::int - 1) as place`

export const openLog = async (world: World, owner?: TestAccount): Promise<TestLog> => {
  const account = owner ?? (await world.makeAccount())
  const [row] = await world.db<{ sessionId: string; chatId: string }[]>`
    with session as (insert into sessions (account_id, title) values (${account.id}, 'pressure') returning id),
      chat as (insert into chats (session_id, title) select id, 'pressure' from session returning id, session_id)
    select session_id as "sessionId", id as "chatId" from chat`
  const { sessionId, chatId } = row!
  const runId = await acceptRun(world.db, { accountId: account.id, sessionId, chatId })
  const wake = (): void => world.deps.notifier.wake(runId)
  return {
    runId,
    sessionId,
    chatId,
    key: account.key,
    path: (startIndex = 0) => `/api/chat/${chatId}/stream?startIndex=${startIndex}`,
    append: async (frames, textBytes) => {
      await addFrames(world.db, runId, frames, textBytes)
      wake()
    },
    finish: async () => {
      await world.db.begin(async (tx) => {
        await tx`
          insert into stream_chunk (run_id, seq, day, body)
          select run_id, next_seq, day, '{"type":"finish","finishReason":"stop"}' from stream_head where run_id = ${runId}`
        await tx`update stream_head set next_seq = next_seq + 1, state = 'done' where run_id = ${runId}`
        await tx`update runs set status = 'completed', ended_at = now() where id = ${runId}`
        await tx`update chats set active_stream_id = null where id = ${chatId}`
      })
      wake()
    },
  }
}
