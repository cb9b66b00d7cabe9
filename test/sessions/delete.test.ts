import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sessionSchema } from '../../domain/sessions.ts'
import { acceptRun, giveSandbox } from '../session-rows.ts'
import { create, owner, patchSession, useSessionWorld, world } from '../session-world.ts'

useSessionWorld()

const shown = z.object({ session: sessionSchema.strict() })

const read = async (id: string) =>
  shown.parse((await world.request('GET', `/api/sessions/${id}`, { key: owner.key })).body).session

const remove = (id: string) => world.request('DELETE', `/api/sessions/${id}`, { key: owner.key })

describe('DELETE /api/sessions/{sessionId}', () => {
  it('takes chats, messages and read records with it, and a second call finds nothing', async () => {
    const { session, chat } = await create(owner)
    await world.request('POST', `/api/sessions/${session.id}/chats/${chat.id}/read`, { key: owner.key })
    expect(await remove(session.id)).toMatchObject({ status: 200, body: { success: true } })
    expect(await remove(session.id)).toMatchObject({ status: 404, body: { error: 'Session not found' } })
    const left = await world.db`
      select id::text from chats where id = ${chat.id} union all
      select chat_id::text from chat_reads where chat_id = ${chat.id}`
    expect(left).toHaveLength(0)
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

  it('stops live runs first, whose rows stay', async () => {
    const { session, chat } = await create(owner)
    const runId = await acceptRun(world.db, { accountId: owner.id, sessionId: session.id, chatId: chat.id })
    expect(await remove(session.id)).toMatchObject({ status: 200 })
    expect(await world.db`select status from runs where id = ${runId}`).toMatchObject([{ status: 'cancelled' }])
  })

  it('gives up after 8 s on a run that does not end, like archiving, and changes nothing', async () => {
    const { session, chat } = await create(owner)
    const runId = await acceptRun(world.db, { accountId: owner.id, sessionId: session.id, chatId: chat.id })
    await world.db`update runs set status = 'running', engine_started_at = now() where id = ${runId}`
    const answers = await Promise.all([
      remove(session.id),
      patchSession(session.id, { status: 'archived', title: 'Gone' }),
    ])
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 504, body: { error: 'Run did not stop in time' } })
      expect(answer.headers.get('retry-after')).toBe('2')
    }
    expect(await read(session.id)).toMatchObject({ status: 'running', title: session.title })
  })
})
