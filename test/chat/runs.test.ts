import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listFaults, readTranscript } from '../world/transcript.ts'
import { createWorld, type World } from '../world/world.ts'
import { createChatApi, until } from './chat-api.ts'

let world: World
let chatApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  world = await createWorld()
  chatApi = createChatApi(world)
})
afterAll(() => world.close())

type StartedRun = { runId: string; chatId: string; sessionId: string }

test('a background run creates its session, chat and sandbox, returns 202 immediately and completes', async () => {
  const account = await world.makeAccount()
  const response = await world.fetch('POST', '/api/chat/runs', {
    key: account.key,
    body: { prompt: '  $ pwd  ', title: 'Nightly', model: ' ' },
  })
  expect(response.status).toBe(202)
  const started = (await response.json()) as StartedRun
  expect(response.headers.get('location')).toBe(`/api/chat/runs/${started.runId}`)
  expect(response.headers.get('x-workflow-run-id')).toBe(started.runId)
  const chat = { account, chatId: started.chatId, sessionId: started.sessionId }
  const transcript = await readTranscript(await chatApi.resume(chat))
  expect(listFaults(transcript)).toEqual([])
  expect(
    await until(
      () => chatApi.runStatus(account, started.runId),
      (status) => status === 'completed',
    ),
  ).toBe('completed')
  const loaded = await chatApi.load(chat)
  expect(loaded.chat.title).toBe('Nightly')
  expect(loaded.messages[0]?.parts).toEqual([{ type: 'text', text: '$ pwd' }])
  expect(JSON.stringify(loaded.messages[1]?.parts)).toContain('/workspace')
})

test('a headless run cannot ask questions', async () => {
  const account = await world.makeAccount()
  const response = await world.fetch('POST', '/api/chat/runs', {
    key: account.key,
    body: { prompt: '@ask Really? yes | no' },
  })
  const started = (await response.json()) as StartedRun
  await until(
    () => chatApi.runStatus(account, started.runId),
    (status) => status === 'completed',
  )
  const { messages } = await chatApi.load({ account, chatId: started.chatId, sessionId: started.sessionId })
  expect(messages[1]?.parts.some((part) => part['state'] === 'input-available')).toBe(false)
})

test('many requests with the same Idempotency-Key start one run', async () => {
  const account = await world.makeAccount()
  const start = () =>
    world.fetch('POST', '/api/chat/runs', {
      key: account.key,
      headers: { 'idempotency-key': 'nightly-1' },
      body: { prompt: '@say once' },
    })
  const first = await start()
  const again = await start()
  expect(again.status).toBe(202)
  expect(again.headers.get('location')).toBe(first.headers.get('location'))
  expect(await again.json()).toEqual(await first.json())
  const [count] = await world.db`select count(*)::int as runs from runs where account_id = ${account.id}`
  expect(count).toEqual({ runs: 1 })
})

const refusals: [string, object, unknown][] = [
  ['neither prompt nor messages', {}, []],
  ['both prompt and messages', { prompt: 'a', messages: [{ id: '1', role: 'user', content: 'a' }] }, []],
  ['a blank prompt', { prompt: '   ' }, ['prompt']],
  ['messages that end with the assistant', { messages: [{ id: '1', role: 'assistant', content: 'a' }] }, ['messages']],
  ['a long title', { prompt: 'a', title: 'x'.repeat(201) }, ['title']],
  ['an artist id that is not a UUID', { prompt: 'a', artistId: 'x' }, ['artistId']],
]
test.each(refusals)('rejects %s', async (_, body, missingFields) => {
  const account = await world.makeAccount()
  const response = await world.fetch('POST', '/api/chat/runs', { key: account.key, body })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ status: 'error', missing_fields: missingFields })
})

test('a run is rejected for an account, organization or artist that the caller has no access to', async () => {
  const account = await world.makeAccount()
  const sendRequest = async (member: string) => {
    const response = await world.fetch('POST', '/api/chat/runs', {
      key: account.key,
      body: { prompt: 'a', [member]: randomUUID() },
    })
    return [response.status, ((await response.json()) as { error: string }).error]
  }
  expect(await sendRequest('accountId')).toEqual([403, 'Access denied to this account'])
  expect(await sendRequest('organizationId')).toEqual([403, 'Access denied to this organization'])
  expect(await sendRequest('artistId')).toEqual([403, 'Access denied to this artist'])
})

test('a run for a colleague belongs to the colleague, and both can poll it', async () => {
  const [caller, owner, outsider] = await Promise.all([world.makeAccount(), world.makeAccount(), world.makeAccount()])
  await world.makeOrganization({ members: [caller.id, owner.id] })
  const response = await world.fetch('POST', '/api/chat/runs', {
    key: caller.key,
    body: { prompt: '@say for you', accountId: owner.id },
  })
  const { runId, chatId, sessionId } = (await response.json()) as StartedRun
  await until(
    () => chatApi.runStatus(caller, runId),
    (status) => status === 'completed',
  )
  expect(await chatApi.runStatus(owner, runId)).toBe('completed')
  const { messages } = await chatApi.load({ account: owner, chatId, sessionId })
  expect(JSON.stringify(messages[1])).toContain('for you')
  const refused = await world.fetch('GET', `/api/chat/runs/${runId}`, { key: outsider.key })
  expect([refused.status, await refused.json()]).toEqual([404, { status: 'error', error: 'Run not found' }])
})

test.each(['nonsense', 'wrun_01ARZ3NDEKTSV4RRFFQ69G5FAV'])('an unknown run returns 404: %s', async (runId) => {
  const account = await world.makeAccount()
  const response = await world.fetch('GET', `/api/chat/runs/${runId}`, { key: account.key })
  expect([response.status, await response.json()]).toEqual([404, { status: 'error', error: 'Run not found' }])
})

test('the route of a run returns only its status', async () => {
  const account = await world.makeAccount()
  const response = await world.fetch('POST', '/api/chat/runs', { key: account.key, body: { prompt: '@say x' } })
  const { runId } = (await response.json()) as StartedRun
  const read = await world.fetch('GET', `/api/chat/runs/${runId}`, { key: account.key })
  expect(Object.keys((await read.json()) as object).sort()).toEqual(['runId', 'status'])
  await until(
    () => chatApi.runStatus(account, runId),
    (status) => status === 'completed',
  )
})
