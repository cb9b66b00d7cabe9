import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { acceptRun, createSession, fillChat, makeOwner, say } from '../../world/sessions/session-rows.ts'
import {
  addChat,
  requireChat,
  openSession,
  owner,
  outsider,
  useSessionWorld,
  world,
} from '../../world/sessions/session-world.ts'
import { createWorld } from '../../world/world.ts'

useSessionWorld()

const patch = ({ path, chatId }: { path: string; chatId: string }, body: unknown) =>
  world.request('PATCH', `${path}/${chatId}`, { key: owner.key, body })

describe('PATCH .../chats/{chatId}', () => {
  it('renames a chat and chooses its model', async () => {
    const session = await openSession()
    const renamed = requireChat(await patch(session, { title: ' Budget ' }))
    expect(renamed).toMatchObject({ title: 'Budget', modelId: world.config.defaultModel })
    const chosen = requireChat(await patch(session, { modelId: ' local/echo ' }))
    expect(chosen).toMatchObject({ title: 'Budget', modelId: 'local/echo' })
  })

  it.each([
    [{}, []],
    [{ title: '  ' }, ['title']],
    [{ title: 'x'.repeat(201) }, ['title']],
    [{ modelId: '' }, ['modelId']],
    [{ modelId: 'local/ech\u0007o' }, ['modelId']],
    [{ modelId: `local/${'x'.repeat(200)}` }, ['modelId']],
    [{ title: 1, modelId: '' }, ['title']],
  ])('rejects %j', async (body, missing_fields) => {
    expect(await patch(await openSession(), body)).toMatchObject({
      status: 400,
      body: { status: 'error', missing_fields },
    })
  })

  it('accepts only models on the allow list', async () => {
    const restrictedWorld = await createWorld({
      worker: false,
      settings: { MODEL_ALLOW_LIST: 'local/echo, local/assistant' },
    })
    const account = await makeOwner(restrictedWorld)
    const { session, chat } = await createSession(restrictedWorld, account)
    const choose = (modelId: string) =>
      restrictedWorld.request('PATCH', `/api/sessions/${session.id}/chats/${chat.id}`, {
        key: account.key,
        body: { modelId },
      })
    expect(await choose('local/echo')).toMatchObject({ status: 200 })
    expect(await choose('openai/gpt-5')).toMatchObject({ status: 400, body: { missing_fields: ['modelId'] } })
    await restrictedWorld.close()
  })

  it('rejects an unknown field', async () => {
    const session = await openSession()
    expect(await patch(session, { title: 'Fine', status: 'archived' })).toMatchObject({ status: 400 })
    const [row] = await world.db`select title from chats where id = ${session.chatId}`
    expect(row).toMatchObject({ title: 'New chat' })
  })
})

const remove = (path: string) => world.request('DELETE', path, { key: owner.key })

describe('DELETE .../chats/{chatId}', () => {
  it('deletes a chat with its messages, and a second call returns 404', async () => {
    const session = await openSession()
    const { id } = await addChat(session)
    await fillChat(world.db, id, [say('Hi')])
    expect(await remove(`${session.path}/${id}`)).toMatchObject({ status: 200, body: { success: true } })
    expect(await remove(`${session.path}/${id}`)).toMatchObject({ status: 404, body: { error: 'Chat not found' } })
    expect(await world.db`select 1 from chat_message_parts where chat_id = ${id}`).toHaveLength(0)
  })

  it('does not delete the only chat of a session', async () => {
    const session = await openSession()
    expect(await remove(`${session.path}/${session.chatId}`)).toMatchObject({
      status: 400,
      body: { error: 'A session keeps at least one chat' },
    })
    expect(await remove(`${session.path}/${randomUUID()}`)).toMatchObject({ status: 404 })
  })

  it('keeps one of the last two chats if both are deleted concurrently', async () => {
    const session = await openSession()
    const { id } = await addChat(session)
    const responses = await Promise.all([remove(`${session.path}/${id}`), remove(`${session.path}/${session.chatId}`)])
    expect(responses.reduce((sum, { status }) => sum + status, 0)).toBe(200 + 400)
  })

  it('stops the unfinished run of the deleted chat and no other run', async () => {
    const session = await openSession()
    const { id } = await addChat(session)
    const stoppedRunId = await acceptRun(world.db, { ...session, accountId: owner.id, chatId: id })
    const otherRunId = await acceptRun(world.db, { ...session, accountId: owner.id })
    expect(await remove(`${session.path}/${id}`)).toMatchObject({ status: 200 })
    const rows = await world.db`
      select status from runs where id in (${stoppedRunId}, ${otherRunId}) order by id = ${otherRunId}`
    expect(rows).toMatchObject([{ status: 'cancelled' }, { status: 'queued' }])
  })
})

describe('access to the chats of a session', () => {
  const routes = [
    ['GET', ''],
    ['POST', ''],
    ['GET', '/{chatId}'],
    ['PATCH', '/{chatId}'],
    ['DELETE', '/{chatId}'],
    ['POST', '/{chatId}/read'],
  ] as const

  it.each(routes)(
    '%s %s is rejected if the session is missing or belongs to another account',
    async (method, suffix) => {
      const session = await openSession()
      const body = method === 'PATCH' ? { title: 'Taken' } : undefined
      const sendRequest = (sessionId: string, chatId: string, key?: string) =>
        world.request(method, `/api/sessions/${sessionId}/chats${suffix.replace('{chatId}', chatId)}`, { key, body })
      expect(await sendRequest(session.sessionId, session.chatId)).toMatchObject({ status: 401 })
      expect(await sendRequest(randomUUID(), session.chatId, owner.key)).toMatchObject({
        status: 404,
        body: { error: 'Session not found' },
      })
      for (const chatId of [session.chatId, randomUUID()])
        expect(await sendRequest(session.sessionId, chatId, outsider.key)).toMatchObject({
          status: 403,
          body: { status: 'error', error: 'Forbidden' },
        })
    },
  )

  it.each(routes.slice(2))('%s %s finds only chats of this session', async (method, suffix) => {
    const session = await openSession()
    const other = await openSession()
    const body = method === 'PATCH' ? { title: 'Taken' } : undefined
    for (const chatId of [other.chatId, randomUUID(), 'no-uuid'])
      expect(
        await world.request(method, `${session.path}${suffix.replace('{chatId}', chatId)}`, { key: owner.key, body }),
      ).toMatchObject({ status: 404, body: { status: 'error', error: 'Chat not found' } })
  })
})
