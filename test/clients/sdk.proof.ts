import type { UIMessage } from 'ai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createResumingFetch } from '../../client/resuming-fetch.ts'
import { createChatApi, type OpenChat } from '../chat/chat-api.ts'
import { startApiProcess } from '../crash/processes.ts'
import { startProxy, type FaultProxy } from '../crash/cluster/proxy.ts'
import { createWorld, eventually, type World } from '../world/world.ts'
import { comparableMessage, openClient, createAnswerRule, type Chat } from './headless.ts'
import { sdkVersions } from './sdk.ts'

let world: World
let chatApi: ReturnType<typeof createChatApi>
const proxies: FaultProxy[] = []
beforeAll(async () => {
  world = await createWorld({ settings: { LOCAL_MODEL_WORDS_PER_SECOND: '40', RATE_LIMIT_STARTS_PER_MINUTE: '0' } })
  chatApi = createChatApi(world)
})
afterAll(async () => {
  await Promise.all(proxies.map((proxy) => proxy.close()))
  await world.close()
})

// The contract uses the message type of the SDK.
const load = async (chat: OpenChat): Promise<UIMessage[]> =>
  (await chatApi.load(chat)).messages as unknown as UIMessage[]

const expectStored = async (client: Chat, chat: OpenChat): Promise<void> =>
  expect(client.messages.map(comparableMessage)).toEqual((await load(chat)).map(comparableMessage))

const readText = (client: Chat): string =>
  (client.lastMessage?.role === 'assistant' ? client.lastMessage.parts : [])
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')

const untilShown = (client: Chat, text: string) =>
  eventually(`"${text}" on the screen`, async () => readText(client).includes(text) || undefined)

const untilEnded = (client: Chat) =>
  eventually('the end of the answer', async () => ['ready', 'error'].includes(client.status) || undefined)

const findQuestion = (client: Chat): string =>
  client.lastMessage?.parts.flatMap((part) =>
    part.type === 'tool-ask_user_question' && 'toolCallId' in part ? [part.toolCallId] : [],
  )[0] ?? ''

type ProxiedChat = { chat: OpenChat; proxy: FaultProxy; baseUrl: string }

/** Opens a chat in the session and a proxy to the API whose connections can be cut. */
const openProxiedChat = async (session: Promise<OpenChat>): Promise<ProxiedChat> => {
  const proxy = await startProxy({ port: Number(new URL(world.baseUrl).port) })
  proxies.push(proxy)
  return { chat: await chatApi.openChatIn(await session), proxy, baseUrl: `http://127.0.0.1:${proxy.port}` }
}

const createResumingFetchFor = ({ chat, baseUrl }: ProxiedChat): typeof fetch =>
  createResumingFetch(`${baseUrl}/api/chat/${chat.chatId}/stream`)

const longTurn = '@think So\n@words 60\n$ echo between\n---\n@words 40'

describe.concurrent.each(sdkVersions)('AI SDK $major', ({ major, sdk }) => {
  let session: Promise<OpenChat>
  beforeAll(() => {
    session = chatApi.openChat()
  })
  const beginChat = (): Promise<ProxiedChat> => openProxiedChat(session)
  const open = ({ chat, baseUrl }: ProxiedChat, options: Partial<Parameters<typeof openClient>[2]> = {}): Chat =>
    openClient(sdk, chat, { baseUrl, ...options })

  test.each([
    ['text after reasoning', '@think Let me see\n@say The catalog holds 42 songs.'],
    ['parallel tool calls and their output', '$ echo one\n$ echo two\n---\n@say Both ran.'],
    ['an invalid tool call', '@garbage-call'],
    ['a failed tool call', '$ exit 3'],
    ['a question', '@ask Which format? wav | mp3'],
  ])('shows %s as stored, and completes the next turn', async (_, text) => {
    const proxiedChat = await beginChat()
    const { chat } = proxiedChat
    const client = open(proxiedChat)
    await client.sendMessage({ text })
    expect([client.status, client.error]).toEqual(['ready', undefined])
    await expectStored(client, chat)
    await client.sendMessage({ text: '@say And again.' })
    expect(client.messages).toHaveLength(4)
    expect(comparableMessage(client.lastMessage)).toEqual(comparableMessage((await load(chat))[3]))
  })

  test('resumes after losing its connection and shows the stored message', async () => {
    const proxiedChat = await beginChat()
    const { chat, proxy } = proxiedChat
    const client = open(proxiedChat)
    const sending = client.sendMessage({ text: longTurn })
    await untilShown(client, 'word-20')
    proxy.cut()
    await sending
    expect(client.status).toBe('error')
    await client.resumeStream()
    expect([client.status, client.error]).toEqual(['ready', undefined])
    await expectStored(client, chat)
  })

  test('continues across a lost connection with the resuming fetch, even if the turn ends during the outage', async () => {
    const proxiedChat = await beginChat()
    const { chat, proxy } = proxiedChat
    const client = open(proxiedChat, { fetch: createResumingFetchFor(proxiedChat) })
    const sending = client.sendMessage({ text: longTurn })
    await untilShown(client, 'word-20')
    proxy.cut()
    await untilShown(client, 'word-40')
    proxy.refuse()
    proxy.cut()
    await eventually('the end of the run', async () => ((await chatApi.load(chat)).isStreaming ? undefined : true))
    proxy.heal()
    await sending
    expect([client.status, client.error]).toEqual(['ready', undefined])
    await expectStored(client, chat)
  })

  test('resumes an active turn on a new page, and resumes nothing after its end', async () => {
    const proxiedChat = await beginChat()
    const { chat, proxy } = proxiedChat
    const lost = open(proxiedChat)
    const sending = lost.sendMessage({ text: '$ echo first\n---\n@words 60' })
    await untilShown(lost, 'word-3')
    proxy.cut()
    await sending
    const client = open(proxiedChat, { messages: await load(chat) })
    expect(client.messages).toHaveLength(2)
    await client.resumeStream()
    await expectStored(client, chat)
    await client.resumeStream()
    expect(client.status).toBe('ready')
    await expectStored(client, chat)
  })

  test('disconnects without stopping the run, and stops it with the stop route', async () => {
    const proxiedChat = await beginChat()
    const { chat } = proxiedChat
    const client = open(proxiedChat)
    const sending = client.sendMessage({ text: '$ true\n---\n@words 400' })
    await untilShown(client, 'word-3')
    await client.stop()
    await sending
    expect(client.status).toBe('ready')
    expect((await chatApi.load(chat)).isStreaming).toBe(true)
    const resuming = client.resumeStream()
    await untilShown(client, 'word-10')
    expect((await chatApi.stop(chat)).status).toBe(200)
    await resuming
    expect([client.status, client.lastMessage?.metadata]).toMatchObject(['ready', { endReason: 'stopped' }])
    await expectStored(client, chat)
  })

  test('cannot start a second turn while one is active, and resumes the first', async () => {
    const proxiedChat = await beginChat()
    const { chat } = proxiedChat
    const other = await chatApi.post(chat, '@words 60')
    const client = open(proxiedChat, { messages: await load(chat) })
    await client.sendMessage({ text: 'And mine?' })
    expect([client.status, client.error?.message]).toEqual([
      'error',
      expect.stringContaining('A response is already streaming for this chat'),
    ])
    client.messages = client.messages.slice(0, -1)
    await client.resumeStream()
    await other.body?.cancel()
    await expectStored(client, chat)
  })

  test('answers a question, after which the turn continues in the same message', async () => {
    const proxiedChat = await beginChat()
    const { chat, proxy } = proxiedChat
    const client = open(proxiedChat, {
      fetch: createResumingFetchFor(proxiedChat),
      sendAutomaticallyWhen: createAnswerRule(sdk),
    })
    await client.sendMessage({ text: '$ echo aside\n@ask Which format? wav | mp3\n---\n@words 40' })
    expect(client.lastMessage?.metadata).toMatchObject({ endReason: 'awaiting_user' })
    const questionId = client.lastMessage?.id
    await client.addToolOutput({
      tool: 'ask_user_question',
      toolCallId: findQuestion(client),
      output: { answers: { 'Which format?': 'mp3' } },
    })
    await untilShown(client, 'word-10')
    proxy.cut()
    await untilEnded(client)
    expect(client.status).toBe('ready')
    expect(client.messages.map(({ id }) => id)).toEqual([expect.any(String), questionId])
    expect(client.lastMessage?.metadata).toMatchObject({ endReason: 'natural' })
    await expectStored(client, chat)
  })

  test('regenerates an answer, edits a message, and reads the earlier versions', async () => {
    const proxiedChat = await beginChat()
    const { chat } = proxiedChat
    const parts: unknown[] = []
    const client = open(proxiedChat, { onData: ({ data }) => void parts.push(data) })
    await client.sendMessage({ text: '@say First.' })
    await client.sendMessage({ text: '@say Second.' })
    const before = client.messages.map(comparableMessage)
    await client.regenerate()
    expect([client.status, client.error, readText(client)]).toEqual(['ready', undefined, 'Second.'])
    await expectStored(client, chat)
    const [first, , second] = client.messages.map(({ id }) => id)
    await client.regenerate({ messageId: client.messages[1]?.id })
    expect(client.messages).toHaveLength(2)
    await expectStored(client, chat)
    await client.sendMessage({ text: '@say Edited.', messageId: first })
    expect([client.status, readText(client)]).toEqual(['ready', 'Edited.'])
    await client.regenerate()
    expect(client.messages.slice(1).map(comparableMessage)).toEqual((await load(chat)).slice(1).map(comparableMessage))
    expect(parts).toMatchObject(Array.from({ length: 4 }, () => ({ files: 'kept' })))
    const path = `/api/sessions/${chat.sessionId}/chats/${chat.chatId}`
    const main = await world.request<{ messages: UIMessage[] }>('GET', `${path}?branch=main`, { key: chat.account.key })
    expect(main.body.messages.map(comparableMessage)).toEqual(before)
    expect(main.body.messages[2]?.id).toBe(second)
  })
  test.skipIf(major === 5)(
    'approves one call and denies another, after which the turn continues in the same message',
    async () => {
      const proxiedChat = await openProxiedChat(chatApi.openChat())
      const { chat } = proxiedChat
      const { sessionId, account } = chat
      const approvalsRequest = { key: account.key, body: { approvals: { commands: ['echo asked'] } } }
      await world.request('PATCH', `/api/sessions/${sessionId}`, approvalsRequest)
      const client = open(proxiedChat, {
        sendAutomaticallyWhen: sdk.lastAssistantMessageIsCompleteWithApprovalResponses,
      })
      await client.sendMessage({ text: '$ echo free\n$ echo asked once\n$ echo asked twice' })
      expect([client.status, client.error]).toEqual(['ready', undefined])
      await expectStored(client, chat)
      const ids = (client.lastMessage?.parts ?? []).flatMap((part) =>
        'state' in part && part.state === 'approval-requested' ? [part.approval.id] : [],
      )
      expect(ids).toHaveLength(2)
      await client.addToolApprovalResponse({ id: ids[0]!, approved: true })
      await client.addToolApprovalResponse({ id: ids[1]!, approved: false, reason: 'Once is enough' })
      await untilShown(client, 'Once is enough')
      await untilEnded(client)
      expect([client.status, client.error, client.messages.length]).toEqual(['ready', undefined, 2])
      const states = client.lastMessage?.parts.flatMap((part) =>
        part.type === 'tool-bash' && 'state' in part ? [part.state] : [],
      )
      expect(states?.toSorted()).toEqual(['output-available', 'output-available', 'output-denied'])
      await expectStored(client, chat)
    },
  )

  test('does not send a stopped tool call as an answer', async () => {
    const proxiedChat = await beginChat()
    const { chat } = proxiedChat
    const client = open(proxiedChat, { sendAutomaticallyWhen: createAnswerRule(sdk) })
    const sending = client.sendMessage({ text: '$ sleep 60' })
    await eventually(
      'the tool',
      async () => client.lastMessage?.parts.at(-1)?.type === 'tool-bash' || undefined,
      30_000,
    )
    expect((await chatApi.stop(chat)).status).toBe(200)
    await sending
    expect([client.status, client.error]).toEqual(['ready', undefined])
    await expectStored(client, chat)
  })

  test('skips a question with a new message', async () => {
    const proxiedChat = await beginChat()
    const { chat } = proxiedChat
    const client = open(proxiedChat)
    await client.sendMessage({ text: '@ask Which format? wav | mp3' })
    await client.sendMessage({ text: '@say Never mind.' })
    expect([client.status, readText(client)]).toEqual(['ready', 'Never mind.'])
    expect((await load(chat))[1]?.parts.at(-1)).toMatchObject({ state: 'output-error', errorText: 'Not answered' })
  })

  test('ignores a retraction, and shows only the final answer when it loads the chat', async () => {
    const proxiedChat = await beginChat()
    const { chat } = proxiedChat
    const client = open(proxiedChat)
    await client.sendMessage({ text: '@cut 2\n@say The next show is on 12 March.' })
    expect(client.status).toBe('ready')
    expect(client.lastMessage?.parts.at(-1)).toMatchObject({ text: 'The next show is on 12 March.', state: 'done' })
    client.messages = await load(chat)
    expect(readText(client)).toBe('The next show is on 12 March.')
  })

  test('shows a failed turn as an error after its partial output, and completes the next turn', async () => {
    const proxiedChat = await beginChat()
    const { chat } = proxiedChat
    const client = open(proxiedChat)
    await client.sendMessage({ text: '@say Begun\n$ true\n---\n@badrequest' })
    expect([client.status, client.error?.message, readText(client)]).toEqual([
      'error',
      'The model call failed',
      'Begun',
    ])
    client.messages = await load(chat)
    expect(client.lastMessage?.metadata).toMatchObject({ endReason: 'error' })
    await client.sendMessage({ text: '@say Better.' })
    expect([client.status, client.error]).toEqual(['ready', undefined])
    expect(comparableMessage(client.lastMessage)).toEqual(comparableMessage((await load(chat))[3]))
  })

  test('shows the usage of a turn in the metadata of its message', async () => {
    const client = open(await beginChat())
    await client.sendMessage({ text: '$ true' })
    expect(client.lastMessage?.metadata).toMatchObject({
      runId: expect.stringMatching(/^wrun_/),
      modelId: 'local/assistant',
      endReason: 'natural',
      stepFinishReasons: [{ finishReason: 'tool-calls' }, { finishReason: 'stop' }],
      totalMessageUsage: { totalTokens: expect.any(Number) },
    })
  })
})

test.each(sdkVersions)('AI SDK $major reports an incomplete answer when the API is replaced', async ({ sdk }) => {
  const chat = await chatApi.openChat()
  const stoppingApi = await startApiProcess(world)
  const client = openClient(sdk, chat, { baseUrl: stoppingApi.baseUrl })
  const sending = client.sendMessage({ text: '@words 80' })
  await untilShown(client, 'word-5')
  await stoppingApi.stop()
  await sending
  expect(client.status).toBe('error')
  const next = openClient(sdk, chat, { baseUrl: world.baseUrl, messages: await load(chat) })
  await next.resumeStream()
  expect(next.status).toBe('ready')
  await expectStored(next, chat)
})
