import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { listFaults, readTranscript, shownText } from '../world/transcript.ts'
import { createWorld, eventually, type World } from '../world/world.ts'

let world: World
let client: ReturnType<typeof createClient>
beforeAll(async () => {
  world = await createWorld({ settings: { LOCAL_MODEL_WORDS_PER_SECOND: '40' } })
  const { key } = await world.makeAccount()
  client = createClient({ baseUrl: world.baseUrl, apiKey: key })
})
afterAll(() => world.close())

/** Returns the data of a successful response. Throws the error of any other response. */
const requireData = <T>({ data, error }: { data?: T; error?: unknown }): T => {
  if (data === undefined) throw new Error(`rejected: ${JSON.stringify(error)}`)
  return data
}

const openChat = async (): Promise<{ sessionId: string; chatId: string }> => {
  const { session, chat } = requireData(await client.POST('/api/sessions', { body: { title: 'Typed' } }))
  requireData(await client.POST('/api/sandbox', { body: { sessionId: session.id } }))
  return { sessionId: session.id, chatId: chat.id }
}

const send = (chat: { sessionId: string; chatId: string }, content: string) =>
  client.POST('/api/chat', {
    body: { ...chat, messages: [{ id: randomUUID(), role: 'user', content }] },
    params: { header: { 'Idempotency-Key': randomUUID() } },
    parseAs: 'stream',
  })

test('the typed client opens a chat, resumes a turn, and reads its status and messages', async () => {
  const chat = await openChat()
  const params = { path: { chatId: chat.chatId } }
  const { response } = await send(chat, '@words 60')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const before = await readTranscript(response, ({ frames }) => frames.length >= 8)
  const last = before.frames.at(-1)?.index ?? 0
  const resumed = await client.GET('/api/chat/{chatId}/stream', {
    params: { ...params, header: { 'Last-Event-ID': String(last) } },
    parseAs: 'stream',
  })
  // The status of a turn with a head start is `queued` until its workflow starts.
  const { status } = requireData(await client.GET('/api/chat/runs/{runId}', { params: { path: { runId } } }))
  expect(['queued', 'running']).toContain(status)
  const after = await readTranscript(resumed.response)
  const whole = { ...after, frames: [...before.frames, ...after.frames] }
  expect(listFaults(whole)).toEqual([])
  const { messages, isStreaming } = requireData(
    await client.GET('/api/sessions/{sessionId}/chats/{chatId}', { params: { path: chat } }),
  )
  expect(isStreaming).toBe(false)
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(messages[1]?.parts.map(({ text }) => text ?? '').join('')).toBe(shownText(whole))
  expect([messages[1]?.metadata?.endReason, messages[1]?.metadata?.runId]).toEqual(['natural', runId])
  expect(requireData(await client.GET('/api/chat/runs/{runId}', { params: { path: { runId } } })).status).toBe(
    'completed',
  )
})

test('the typed client stops a turn', async () => {
  const chat = await openChat()
  const params = { path: { chatId: chat.chatId } }
  const { response } = await send(chat, '@stall')
  expect(requireData(await client.POST('/api/chat/{chatId}/stop', { params }))).toEqual({
    success: true,
    stopped: true,
  })
  expect(listFaults(await readTranscript(response))).toEqual([])
  const streamAfterStop = await client.GET('/api/chat/{chatId}/stream', { params, parseAs: 'stream' })
  expect(streamAfterStop.response.status).toBe(204)
})

test('the typed client polls a run without a stream', async () => {
  const started = requireData(await client.POST('/api/chat/runs', { body: { prompt: '$ echo typed' } }))
  if (!('runId' in started)) throw new Error('the run was queued')
  const { runId, chatId, sessionId } = started
  await eventually(
    'the end of the run',
    async () => {
      const { status } = requireData(await client.GET('/api/chat/runs/{runId}', { params: { path: { runId } } }))
      return status === 'completed' || undefined
    },
    60_000,
  )
  const { messages } = requireData(
    await client.GET('/api/sessions/{sessionId}/chats/{chatId}', { params: { path: { sessionId, chatId } } }),
  )
  expect(messages[1]?.parts.find(({ type }) => type === 'tool-bash')).toMatchObject({
    state: 'output-available',
    output: { stdout: 'typed\n' },
  })
})

test('the typed client returns a typed error for a rejected request', async () => {
  const { data, error, response } = await client.GET('/api/sessions/{sessionId}', {
    params: { path: { sessionId: randomUUID() } },
  })
  expect([data, error?.error, response.status]).toEqual([undefined, 'Session not found', 404])
  const { sessionId } = await openChat()
  const patched = requireData(
    await client.PATCH('/api/sessions/{sessionId}', { params: { path: { sessionId } }, body: { status: 'archived' } }),
  )
  expect(patched.session.lifecycleState).toBe('archived')
})

test('a call that the API does not declare is a type error', () => {
  const params = { path: { id: randomUUID() } }
  const calls = [
    () => client.GET('/api/accounts/{id}', { params }),
    // @ts-expect-error The route accepts no body.
    () => client.GET('/api/accounts/{id}', { params, body: {} }),
    // @ts-expect-error The route accepts no query.
    () => client.GET('/api/accounts/{id}', { params: { ...params, query: { page: 1 } } }),
    // @ts-expect-error The path parameters are required.
    () => client.GET('/api/accounts/{id}'),
    // @ts-expect-error The route accepts no parameters.
    () => client.GET('/api/accounts/id', { params: { query: { page: 1 } } }),
    // @ts-expect-error The path has no such method.
    () => client.POST('/api/accounts/{id}', { params }),
  ]
  expect(calls).toHaveLength(6)
})
