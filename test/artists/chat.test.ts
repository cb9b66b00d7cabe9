import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChatApi, until } from '../chat/chat-api.ts'
import { createWorld, type World } from '../world/world.ts'
import { createArtistsApi } from './artists.ts'

let world: World
let chatApi: ReturnType<typeof createChatApi>
const { attach, make } = createArtistsApi(() => world)

beforeAll(async () => {
  world = await createWorld()
  chatApi = createChatApi(world)
})
afterAll(() => world.close())

type StartedRun = { runId: string; chatId: string; sessionId: string }

test('a chat may refer to an artist that its account has access to, until the artist is deleted', async () => {
  const owner = await world.makeAccount()
  const member = await world.makeAccount()
  const organization = await world.makeOrganization({ members: [owner.id, member.id] })
  const { id: artistId } = await make(owner)
  const start = (key: string) =>
    world.request<StartedRun>('POST', '/api/chat/runs', {
      key,
      body: { prompt: '$ echo about=$PLATFORM_ARTIST_ID', artistId },
    })
  expect((await start(member.key)).status).toBe(403)
  await attach({ key: owner.key }, organization.id, artistId)

  const { status, body: started } = await start(member.key)
  expect(status).toBe(202)
  await until(
    () => chatApi.runStatus(member, started.runId),
    (status) => status === 'completed',
  )
  const chat = { account: member, chatId: started.chatId, sessionId: started.sessionId }
  expect(JSON.stringify((await chatApi.load(chat)).messages[1]?.parts)).toContain(`about=${artistId}`)
  const listed = await world.request<{ chats: { id: string; artistId: string }[] }>(
    'GET',
    `/api/chats?artist_account_id=${artistId}`,
    { key: member.key },
  )
  expect(listed.body.chats).toMatchObject([{ id: started.chatId, artistId }])

  const { id: removed } = await make(owner)
  await world.request('DELETE', `/api/artists/${removed}`, { key: owner.key })
  expect(await world.request('POST', '/api/sessions', { key: owner.key, body: { artistId: removed } })).toMatchObject({
    status: 403,
    body: { error: 'Access denied to this artist' },
  })
})
