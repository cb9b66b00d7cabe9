import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { chatSchema } from '../../domain/chat/chats.ts'
import { pagination } from '../../domain/fields/pages.ts'
import { acceptRun, makeOwner } from '../world/sessions/session-rows.ts'
import { create, owner, useSessionWorld, world } from '../world/sessions/session-world.ts'
import type { TestAccount } from '../world/world.ts'

useSessionWorld()

const listResponse = z.object({
  sessions: z.array(z.record(z.string(), z.unknown())),
  archivedCount: z.number(),
  pagination,
})

const list = async (account: TestAccount, query = '') => {
  const response = await world.request('GET', `/api/sessions${query}`, { key: account.key })
  expect(response.status).toBe(200)
  return listResponse.parse(response.body)
}

describe('GET /api/sessions', () => {
  it('pages through the sessions of the caller, newest first, without gaps or duplicates', async () => {
    const account = await makeOwner(world)
    await world.db`
      insert into sessions (account_id, title, created_at)
      select ${account.id}, 'Session ' || number, timestamptz '2026-01-01' + (number / 3) * interval '1 second'
      from generate_series(1, 25) as number`
    const seenIds: unknown[] = []
    let offset: number | null = 0
    while (offset !== null) {
      const page = await list(account, `?limit=10&offset=${offset}`)
      expect(page.pagination).toMatchObject({ limit: 10, offset, hasMore: page.pagination.nextOffset !== null })
      seenIds.push(...page.sessions.map(({ id }) => id))
      offset = page.pagination.nextOffset
    }
    const rows = await world.db<{ id: string }[]>`
      select id from sessions where account_id = ${account.id} order by created_at desc, id`
    expect(seenIds).toEqual(rows.map(({ id }) => id))
  })

  it('filters by status and always returns the number of archived sessions', async () => {
    const account = await makeOwner(world)
    const active = await create(account)
    const archived = await create(account)
    await world.request('PATCH', `/api/sessions/${archived.session.id}`, {
      key: account.key,
      body: { status: 'archived' },
    })
    const listIds = async (query: string) => {
      const { sessions, archivedCount } = await list(account, query)
      expect(archivedCount).toBe(1)
      return sessions.map(({ id }) => id)
    }
    expect(await listIds('')).toEqual([archived.session.id, active.session.id])
    expect(await listIds('?status=all')).toHaveLength(2)
    expect(await listIds('?status=active')).toEqual([active.session.id])
    expect(await listIds('?status=archived')).toEqual([archived.session.id])
    expect(await listIds('?offset=10')).toEqual([])
  })

  it("returns the activity of each session's chats", async () => {
    const account = await makeOwner(world)
    const { session, chat } = await create(account, { title: 'Busy' })
    const readFirst = async () => (await list(account)).sessions[0]
    expect(await readFirst()).toEqual({
      id: session.id,
      title: 'Busy',
      status: 'running',
      repoOwner: 'workspaces',
      repoName: account.id,
      branch: null,
      linesAdded: 0,
      linesRemoved: 0,
      createdAt: session.createdAt,
      lastActivityAt: chat.updatedAt,
      artistId: null,
      hasUnread: false,
      hasStreaming: false,
      latestChatId: chat.id,
    })
    const second = await world.request('POST', `/api/sessions/${session.id}/chats`, { key: account.key })
    const latest = z.object({ chat: chatSchema }).parse(second.body).chat
    await world.db`update chats set last_assistant_message_at = now() where id = ${chat.id}`
    await acceptRun(world.db, { accountId: account.id, sessionId: session.id, chatId: chat.id })
    await world.db`update chats set updated_at = now() + interval '1 second' where id = ${latest.id}`
    expect(await readFirst()).toMatchObject({ hasUnread: true, hasStreaming: true, latestChatId: latest.id })
    await world.request('POST', `/api/sessions/${session.id}/chats/${chat.id}/read`, { key: account.key })
    expect(await readFirst()).toMatchObject({ hasUnread: false })
  })

  it.each([
    ['?limit=0', ['limit']],
    ['?limit=101', ['limit']],
    ['?offset=-1', ['offset']],
    ['?status=running', ['status']],
  ])('rejects %s', async (query, missing_fields) => {
    expect(await world.request('GET', `/api/sessions${query}`, { key: owner.key })).toMatchObject({
      status: 400,
      body: { status: 'error', missing_fields },
    })
  })

  it('does not return sessions of another account', async () => {
    const other = await makeOwner(world)
    await create(owner)
    expect((await list(other)).sessions).toEqual([])
    expect(await world.request('GET', '/api/sessions', {})).toMatchObject({ status: 401 })
  })
})
