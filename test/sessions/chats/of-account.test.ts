import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fillChat, makeOwner, say } from '../../world/sessions/session-rows.ts'
import { openSession, owner, outsider, useSessionWorld, world } from '../../world/sessions/session-world.ts'
import type { TestAccount } from '../../world/world.ts'

useSessionWorld()

describe('GET /api/chats', () => {
  const chatsResponse = z.object({ status: z.literal('success'), chats: z.array(z.record(z.string(), z.unknown())) })
  const list = async (account: TestAccount, query = '') => {
    const response = await world.request('GET', `/api/chats${query}`, { key: account.key })
    expect(response.status).toBe(200)
    return chatsResponse.parse(response.body).chats
  }

  it('lists non-empty chats of sessions that are not archived, most recently changed first', async () => {
    const account = await makeOwner(world)
    const first = await openSession(account)
    const second = await openSession(account)
    const archived = await openSession(account)
    await openSession(account)
    for (const { chatId } of [first, second, archived]) await fillChat(world.db, chatId, [say('Hi')])
    await world.request('PATCH', `/api/sessions/${archived.sessionId}`, {
      key: account.key,
      body: { status: 'archived' },
    })
    await world.db`update chats set updated_at = now() + interval '1 minute' where id = ${first.chatId}`
    const chats = await list(account)
    expect(chats.map(({ id }) => id)).toEqual([first.chatId, second.chatId])
    expect(chats[0]).toEqual({
      id: first.chatId,
      title: 'New chat',
      accountId: account.id,
      sessionId: first.sessionId,
      updatedAt: expect.stringMatching(/Z$/) as string,
      artistId: null,
    })
    expect((await list(account, '?limit=1&offset=1')).map(({ id }) => id)).toEqual([second.chatId])
  })

  it('filters by the artist of the session', async () => {
    const account = await makeOwner(world)
    const { chatId, sessionId } = await openSession(account)
    await fillChat(world.db, chatId, [say('Hi')])
    const artistId = randomUUID()
    expect(await list(account, `?artist_account_id=${artistId}`)).toEqual([])
    await world.db`update sessions set artist_id = ${artistId} where id = ${sessionId}`
    expect(await list(account, `?artist_account_id=${artistId.toUpperCase()}`)).toMatchObject([
      { id: chatId, artistId },
    ])
  })

  it('lists the chats of an account that shares an organization with the caller', async () => {
    const account = await makeOwner(world)
    const colleague = await makeOwner(world)
    await world.makeOrganization({ members: [account.id, colleague.id] })
    const { chatId } = await openSession(account)
    await fillChat(world.db, chatId, [say('Hi')])
    expect(await list(colleague)).toEqual([])
    expect(await list(colleague, `?account_id=${account.id}`)).toMatchObject([{ id: chatId, accountId: account.id }])
    expect(await world.request('GET', `/api/chats?account_id=${account.id}`, { key: outsider.key })).toMatchObject({
      status: 403,
      body: { status: 'error', error: 'Access denied to this account' },
    })
  })

  it.each([
    ['?account_id=me', ['account_id']],
    ['?artist_account_id=x', ['artist_account_id']],
    ['?limit=101', ['limit']],
  ])('rejects %s', async (query, missing_fields) => {
    expect(await world.request('GET', `/api/chats${query}`, { key: owner.key })).toMatchObject({
      status: 400,
      body: { status: 'error', missing_fields },
    })
  })
})
