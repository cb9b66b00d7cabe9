import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { chatSchema } from '../../../domain/chat/chats.ts'
import { acceptRun } from '../../world/sessions/session-rows.ts'
import { addChat, openSession, owner, outsider, useSessionWorld, world } from '../../world/sessions/session-world.ts'
import type { TestAccount } from '../../world/world.ts'

useSessionWorld()

const listResponse = z.object({
  chats: z.array(chatSchema.extend({ hasUnread: z.boolean(), isStreaming: z.boolean() }).strict()),
  defaultModelId: z.string(),
})

const list = async ({ path, account }: { path: string; account: TestAccount }, query = '') => {
  const response = await world.request('GET', `${path}${query}`, { key: account.key })
  expect(response.status).toBe(200)
  return listResponse.parse(response.body)
}

describe('GET .../chats', () => {
  it('lists the chats oldest first, in pages', async () => {
    const session = await openSession()
    const ids = [session.chatId]
    for (let count = 0; count < 4; count += 1) ids.push((await addChat(session)).id)
    const all = await list(session)
    expect(all.chats.map(({ id }) => id)).toEqual(ids)
    expect(all.defaultModelId).toBe(world.config.defaultModel)
    const pages = [await list(session, '?limit=3'), await list(session, '?limit=3&offset=3')]
    expect(pages.flatMap(({ chats }) => chats.map(({ id }) => id))).toEqual(ids)
  })

  it('marks a chat as unread after each answer until its owner reads it', async () => {
    const session = await openSession()
    const hasUnread = async () => (await list(session)).chats[0]?.hasUnread
    const recordAnswer = () =>
      world.db`update chats set last_assistant_message_at = clock_timestamp() where id = ${session.chatId}`
    expect(await hasUnread()).toBe(false)
    await recordAnswer()
    expect(await hasUnread()).toBe(true)
    const markRead = () => world.request('POST', `${session.path}/${session.chatId}/read`, { key: owner.key })
    expect(await markRead()).toMatchObject({ status: 200, body: { success: true } })
    expect(await hasUnread()).toBe(false)
    expect(await markRead()).toMatchObject({ status: 200 })
    await recordAnswer()
    expect(await hasUnread()).toBe(true)
  })

  it('does not move the time of the last read backwards', async () => {
    const session = await openSession()
    await world.db`
      insert into chat_reads (account_id, chat_id, last_read_at) values (${owner.id}, ${session.chatId}, '2100-01-01')`
    await world.request('POST', `${session.path}/${session.chatId}/read`, { key: owner.key })
    const rows = await world.db<{ at: Date }[]>`
      select last_read_at as at from chat_reads where chat_id = ${session.chatId}`
    expect(rows[0]?.at.getUTCFullYear()).toBe(2100)
  })

  it('marks the chats whose answer is streaming', async () => {
    const session = await openSession()
    await addChat(session)
    const runId = await acceptRun(world.db, { ...session, accountId: owner.id })
    const { chats } = await list(session)
    expect(chats.map(({ isStreaming, activeStreamId }) => [isStreaming, activeStreamId])).toEqual([
      [true, runId],
      [false, null],
    ])
  })

  it.each([
    ['?limit=201', ['limit']],
    ['?offset=x', ['offset']],
  ])('rejects %s', async (query, missing_fields) => {
    const { path } = await openSession()
    expect(await world.request('GET', `${path}${query}`, { key: owner.key })).toMatchObject({
      status: 400,
      body: { status: 'error', missing_fields },
    })
  })
})

describe('POST .../chats', () => {
  it('creates a chat once for a repeated id', async () => {
    const session = await openSession()
    const id = randomUUID()
    const chat = await addChat(session, { id: id.toUpperCase() })
    expect(chat).toMatchObject({
      id,
      sessionId: session.sessionId,
      title: 'New chat',
      modelId: world.config.defaultModel,
    })
    expect(await addChat(session, { id })).toEqual(chat)
  })

  it('rejects an id that another session uses', async () => {
    const session = await openSession()
    const other = await openSession(outsider)
    for (const path of [session.path])
      expect(await world.request('POST', path, { key: owner.key, body: { id: other.chatId } })).toMatchObject({
        status: 409,
        body: { error: 'Chat id is already in use' },
      })
  })

  it('rejects an id that is not a UUID', async () => {
    const { path } = await openSession()
    expect(await world.request('POST', path, { key: owner.key, body: { id: 'mine' } })).toMatchObject({
      status: 400,
      body: { status: 'error', missing_fields: ['id'] },
    })
  })

  it('creates one chat for a repeated Idempotency-Key', async () => {
    const { path } = await openSession()
    const send = () => world.request('POST', path, { key: owner.key, headers: { 'idempotency-key': path } })
    const first = await send()
    const repeated = await send()
    expect(repeated.body).toEqual(first.body)
    expect(repeated.headers.get('idempotency-replayed')).toBe('true')
  })
})
