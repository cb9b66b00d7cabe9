import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { deleteFramesOfDeletedChats } from '../../db/log/stream.ts'
import { sessionSchema } from '../../domain/sessions/sessions.ts'
import { acceptRun, giveSandbox } from '../world/sessions/session-rows.ts'
import { create, owner, patchSession, useSessionWorld, world } from '../world/sessions/session-world.ts'

useSessionWorld()

const sessionResponse = z.object({ session: sessionSchema.strict() })

const read = async (id: string) =>
  sessionResponse.parse((await world.request('GET', `/api/sessions/${id}`, { key: owner.key })).body).session

const remove = (id: string) => world.request('DELETE', `/api/sessions/${id}`, { key: owner.key })

describe('DELETE /api/sessions/{sessionId}', () => {
  it("deletes the session's chats, messages and read records, and a second call returns 404", async () => {
    const { session, chat } = await create(owner)
    await world.request('POST', `/api/sessions/${session.id}/chats/${chat.id}/read`, { key: owner.key })
    expect(await remove(session.id)).toMatchObject({ status: 200, body: { success: true } })
    expect(await remove(session.id)).toMatchObject({ status: 404, body: { error: 'Session not found' } })
    const remaining = await world.db`
      select id::text from chats where id = ${chat.id} union all
      select chat_id::text from chat_reads where chat_id = ${chat.id}`
    expect(remaining).toHaveLength(0)
  })

  it('queues the removal of the sandbox and keeps the workspace repository', async () => {
    const { session } = await create(owner)
    await giveSandbox(world.db, session.id)
    await remove(session.id)
    const [removal] = await world.db`
      select state ->> 'type' as type from sandbox_removals where sandbox_name = ${`session-${session.id}`}`
    expect(removal).toMatchObject({ type: 'local' })
    expect(await world.db`select 1 from workspace_repositories where owner_id = ${owner.id}`).toHaveLength(1)
  })

  it('stops unfinished runs first and keeps their rows', async () => {
    const { session, chat } = await create(owner)
    const runId = await acceptRun(world.db, { accountId: owner.id, sessionId: session.id, chatId: chat.id })
    expect(await remove(session.id)).toMatchObject({ status: 200 })
    expect(await world.db`select status from runs where id = ${runId}`).toMatchObject([{ status: 'cancelled' }])
  })

  it('changes nothing and returns 504 if a run does not end within 8 s, and so does archiving', async () => {
    const { session, chat } = await create(owner)
    const runId = await acceptRun(world.db, { accountId: owner.id, sessionId: session.id, chatId: chat.id })
    await world.db`update runs set status = 'running', engine_started_at = now() where id = ${runId}`
    const responses = await Promise.all([
      remove(session.id),
      patchSession(session.id, { status: 'archived', title: 'Gone' }),
    ])
    for (const response of responses) {
      expect(response).toMatchObject({ status: 504, body: { error: 'Run did not stop in time' } })
      expect(response.headers.get('retry-after')).toBe('2')
    }
    expect(await read(session.id)).toMatchObject({ status: 'running', title: session.title })
  })
})

/** Returns the number of rows that contain the text in any column, by table. */
const countOccurrences = async (text: string): Promise<Record<string, number>> => {
  const tables = await world.db<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await world.db<{ count: number }[]>`
      select count(*)::int as count from ${world.db(name)} as looked where looked::text like ${`%${text}%`}`
    if (row !== undefined && row.count > 0) counts[name] = row.count
  }
  return counts
}

const fillChatContent = async (sessionId: string, chatId: string, word: string): Promise<string> => {
  const runId = await acceptRun(world.db, { accountId: owner.id, sessionId, chatId })
  const body = JSON.stringify({ type: 'text-delta', id: 'txt', delta: word })
  const part = JSON.stringify({ type: 'text', text: word })
  await world.db`update runs set status = 'completed', ended_at = now() where id = ${runId}`
  await world.db`
    insert into chat_messages (id, chat_id, role, created_at) values (${`msg_${word}`}, ${chatId}, 'user', now())`
  await world.db`
    insert into chat_message_parts (chat_id, message_id, position, part)
    values (${chatId}, ${`msg_${word}`}, 0, ${part}::text::json)`
  await world.db`
    insert into run_inputs (run_id, messages) values (${runId}, ${JSON.stringify([word])}::text::json)
    on conflict (run_id) do update set messages = excluded.messages`
  await world.db`
    insert into run_tool_calls (run_id, tool_call_id, step, tool_name, input)
    values (${runId}, 'call_1', 0, 'task', ${JSON.stringify({ command: word })}::text::json)`
  await world.db`insert into run_sub_agents (run_id, tool_call_id, model_id) values (${runId}, 'call_1', 'local/test')`
  await world.db`
    insert into run_sub_agent_steps (run_id, tool_call_id, step, attempt, input_tokens, parts)
    values (${runId}, 'call_1', 0, 1, 1, ${JSON.stringify([word])}::text::json)`
  await world.db`
    insert into run_sub_agent_calls (run_id, call_id, tool_call_id, step, tool_name, input, output)
    values (${runId}, 'sub_1', 'call_1', 0, 'bash', ${JSON.stringify({ command: word })}::text::json,
      ${JSON.stringify({ stdout: word })}::text::json)`
  await world.db`insert into stream_chunk (run_id, seq, day, body) values (${runId}, 1000, current_date, ${body})`
  await world.db`
    insert into turn_commits (run_id, session_id, state, message, staged_diff, left_out)
    values (${runId}, ${sessionId}, 'done', ${`feat: ${word}`}, ${`+${word}`},
      ${world.db.json({ count: 1, paths: [{ path: word, reason: 'unreadable' }] })})`
  return runId
}

const expireFrames = async (runId: string): Promise<void> => {
  await world.db`update runs set ended_at = now() - interval '61 minutes' where id = ${runId}`
  await deleteFramesOfDeletedChats(world.db)
}

describe('the content of a deleted chat', () => {
  it('is deleted from all tables, but its run and the end of its stream remain', async () => {
    const { session, chat } = await create(owner)
    const runId = await fillChatContent(session.id, chat.id, 'quagga')
    expect(Object.keys(await countOccurrences('quagga')).length).toBeGreaterThan(6)
    expect(await remove(session.id)).toMatchObject({ status: 200 })
    // A reader of a run that the deletion stopped still receives the end of the stream.
    expect(Object.keys(await countOccurrences('quagga'))).toEqual(['stream_chunk'])
    await expireFrames(runId)
    expect(await countOccurrences('quagga')).toEqual({})
    expect(await world.db`select status from runs where id = ${runId}`).toMatchObject([{ status: 'completed' }])
  })

  it('is deleted without affecting the content of another chat', async () => {
    const { session, chat } = await create(owner)
    const { body } = await world.request<{ chat: { id: string } }>('POST', `/api/sessions/${session.id}/chats`, {
      key: owner.key,
      body: {},
    })
    const runId = await fillChatContent(session.id, chat.id, 'thylacine')
    await fillChatContent(session.id, body.chat.id, 'dodo')
    const otherCounts = await countOccurrences('dodo')
    const deletion = await world.request('DELETE', `/api/sessions/${session.id}/chats/${chat.id}`, { key: owner.key })
    expect(deletion.status).toBe(200)
    await expireFrames(runId)
    expect(await countOccurrences('thylacine')).toEqual({})
    expect(await countOccurrences('dodo')).toEqual(otherCounts)
  })
})
