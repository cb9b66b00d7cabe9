import { afterAll, beforeAll, expect } from 'vitest'
import { z } from 'zod'
import { chatSchema } from '../../../domain/chat/chats.ts'
import { createSession, makeOwner } from './session-rows.ts'
import { createWorld, type TestAccount, type World } from '../world.ts'

/** The world of the current test file. It has no worker, so sessions and chats exist only as rows. */
export let world: World
export let owner: TestAccount
export let outsider: TestAccount

/** Creates the world of a test file. Call it once at the top of the file. */
export const useSessionWorld = (): void => {
  beforeAll(async () => {
    world = await createWorld({ worker: false })
    owner = await makeOwner(world)
    outsider = await makeOwner(world)
  })
  afterAll(() => world.close())
}

export const create = (account: TestAccount, body?: object) => createSession(world, account, body)

/** A session with its owner and the path of its chat routes. */
export type OwnedSession = { account: TestAccount; sessionId: string; chatId: string; path: string }

export const openSession = async (account = owner, body?: object): Promise<OwnedSession> => {
  const { session, chat } = await create(account, body)
  return { account, sessionId: session.id, chatId: chat.id, path: `/api/sessions/${session.id}/chats` }
}

const chatResponseSchema = z.object({ chat: chatSchema.strict() })

/** Returns the chat of a successful response. */
export const requireChat = (response: { status: number; body: unknown }) => {
  expect(response.status).toBe(200)
  return chatResponseSchema.parse(response.body).chat
}

export const addChat = async ({ path, account }: OwnedSession, body?: object) =>
  requireChat(await world.request('POST', path, { key: account.key, body }))

export const patchSession = (id: string, body: unknown, account = owner) =>
  world.request('PATCH', `/api/sessions/${id}`, { key: account.key, body })
