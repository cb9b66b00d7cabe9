import { afterAll, beforeAll, expect, test } from 'vitest'
import { createResumingFetch, StreamLostError } from '../../client/index.ts'
import { createChatApi, userMessage, type OpenChat } from '../chat/chat-api.ts'
import { startProxy, type FaultProxy } from '../crash/cluster/proxy.ts'
import { listFaults, readTranscript } from '../world/transcript.ts'
import { createWorld, eventually, type World } from '../world/world.ts'

let world: World
let chatApi: ReturnType<typeof createChatApi>
let proxy: FaultProxy
let baseUrl: string
beforeAll(async () => {
  world = await createWorld({ settings: { LOCAL_MODEL_WORDS_PER_SECOND: '40' } })
  chatApi = createChatApi(world)
  proxy = await startProxy({ port: Number(new URL(world.baseUrl).port) })
  baseUrl = `http://127.0.0.1:${proxy.port}`
})
afterAll(async () => {
  await proxy.close()
  await world.close()
})

const buildStreamUrl = ({ chatId }: OpenChat): string => `${baseUrl}/api/chat/${chatId}/stream`
const buildKeyHeader = ({ account }: OpenChat): { 'x-api-key': string } => ({ 'x-api-key': account.key })

const send = (chat: OpenChat, content: string, init: RequestInit = {}): Promise<Response> =>
  createResumingFetch(buildStreamUrl(chat))(`${baseUrl}/api/chat`, {
    method: 'POST',
    headers: { ...buildKeyHeader(chat), 'content-type': 'application/json' },
    body: JSON.stringify({ chatId: chat.chatId, sessionId: chat.sessionId, messages: [userMessage(content)] }),
    ...init,
  })

const untilEnded = (chat: OpenChat): Promise<true> =>
  eventually('the end of the run', async () => ((await chatApi.load(chat)).isStreaming ? undefined : true))

const causeOutage = async (chat: OpenChat): Promise<void> => {
  proxy.refuse()
  proxy.cut()
  await untilEnded(chat)
  proxy.heal()
}

test('a stream continues across lost connections with the exact bytes of the log', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const response = await send(chat, '@words 200')
  const watching = chatApi.resume(chat).then((live) => readTranscript(live))
  let cuts = 0
  const whole = await readTranscript(response, ({ frames }) => {
    if (frames.length > 20 * (cuts + 1)) cuts += Math.sign(proxy.cut())
    return false
  })
  expect(cuts).toBeGreaterThan(1)
  expect(whole).toEqual({ ...(await watching), heartbeats: whole.heartbeats })
})

const stallUntilAbandoned = async (): Promise<void> => {
  const silent = new Set(proxy.connections())
  proxy.stall()
  await eventually('another connection', async () => proxy.connections().some((port) => !silent.has(port)) || undefined)
  proxy.heal()
}

test('a stream continues on another connection after its connection falls silent', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const options = { silenceTimeoutMs: 1000 }
  const sent = await chatApi.post(chat, '@words 200')
  const resumed = await createResumingFetch(buildStreamUrl(chat), options)(buildStreamUrl(chat), {
    headers: buildKeyHeader(chat),
  })
  let healing: Promise<void> | undefined
  const reading = readTranscript(resumed, ({ frames }) => {
    if (frames.length >= 20) healing ??= stallUntilAbandoned()
    return false
  })
  const [whole, stored] = await Promise.all([reading, readTranscript(sent)])
  await healing
  expect(healing).toBeDefined()
  expect(whole).toEqual({ ...stored, heartbeats: whole.heartbeats })
})

test('a turn that ended during an outage is read from its log and not started again', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const reading = readTranscript(await send(chat, '@words 40'))
  await causeOutage(chat)
  expect(listFaults(await reading)).toEqual([])
  expect(await world.db`select 1 from runs where chat_id = ${chat.chatId}`).toHaveLength(1)
})

test('a resumed stream fails if its turn ended during an outage', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const sent = await send(chat, '@words 40')
  const resumed = await createResumingFetch(buildStreamUrl(chat))(buildStreamUrl(chat), {
    headers: buildKeyHeader(chat),
  })
  const ending = resumed.text().catch((error: unknown) => error)
  await causeOutage(chat)
  expect(await ending).toBeInstanceOf(StreamLostError)
  await sent.body?.cancel()
})

test('an error response is returned unchanged', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const response = await send(chat, 'no key', { headers: { 'content-type': 'application/json' } })
  expect([response.status, ((await response.json()) as { status: string }).status]).toEqual([401, 'error'])
  expect(
    (await createResumingFetch(buildStreamUrl(chat))(buildStreamUrl(chat), { headers: buildKeyHeader(chat) })).status,
  ).toBe(204)
})

test('an abort ends reading immediately and does not stop the run', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const disconnect = new AbortController()
  const response = await send(chat, '@words 400', { signal: disconnect.signal })
  const ending = response.text().catch((error: unknown) => error)
  disconnect.abort(new Error('left'))
  expect(await ending).toEqual(new Error('left'))
  expect((await chatApi.load(chat)).isStreaming).toBe(true)
  await chatApi.stop(chat)
})
