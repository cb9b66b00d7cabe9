import { DefaultChatTransport, readUIMessageStream } from 'ai'
import type { UIMessage } from 'ai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld } from '../world.ts'
import type { World } from '../world.ts'
import { actOn } from './turn.ts'
import type { OpenChat } from './turn.ts'

let world: World
let act: ReturnType<typeof actOn>
beforeAll(async () => {
  world = await createWorld()
  act = actOn(world)
})
afterAll(() => world.close())

/** The AI SDK's own transport; all it has to be told is where the chat lives. */
const transportOf = (chat: OpenChat): DefaultChatTransport<UIMessage> =>
  new DefaultChatTransport({
    api: `${world.baseUrl}/api/chat`,
    headers: { 'x-api-key': chat.account.key },
    prepareSendMessagesRequest: ({ messages }) => ({
      body: { chatId: chat.chatId, sessionId: chat.sessionId, messages },
    }),
  })

const userMessage = (text: string): UIMessage => ({
  id: crypto.randomUUID(),
  role: 'user',
  parts: [{ type: 'text', text }],
})

/** As JSON; the reader keeps the stream's id on a reasoning part, which is not part of a stored message. */
const partsOf = (message: UIMessage): object[] =>
  (JSON.parse(JSON.stringify(message.parts)) as { type: string; id?: string }[]).map(({ id, ...part }) =>
    part.type === 'reasoning' || id === undefined ? part : { id, ...part },
  )

type Stream = Parameters<typeof readUIMessageStream>[0]['stream']

/** The message as the SDK's reader has it at the end of the stream. */
const fold = async (stream: Stream): Promise<UIMessage> => {
  let last: UIMessage | undefined
  for await (const message of readUIMessageStream({ stream, terminateOnError: true })) last = message
  if (last === undefined) throw new Error('the stream had no message')
  return last
}

const send = (chat: OpenChat, text: string): Promise<Stream> =>
  transportOf(chat).sendMessages({
    trigger: 'submit-message',
    chatId: chat.chatId,
    messageId: undefined,
    messages: [userMessage(text)],
    abortSignal: undefined,
  })

test.each([
  ['a text', '@think Let me see\n@say The catalog holds 42 songs.'],
  ['tools', '$ echo one\n$ echo two\n---\n@say Both ran.'],
  ['a question', '@ask Which format? wav | mp3'],
])('the stock client reads a turn with %s into the message that is stored', async (_, text) => {
  const chat = await act.openChat()
  const message = await fold(await send(chat, text))
  const stored = (await act.load(chat)).messages[1]
  expect(message.id).toBe(stored?.id)
  expect(partsOf(message)).toEqual(stored?.parts)
  expect(message.metadata).toMatchObject({ runId: stored?.metadata?.['runId'] })
})

test('the stock client reads over a retraction and ends with the answer', async () => {
  const chat = await act.openChat()
  const message = await fold(await send(chat, '@cut 2\n@say The next show is on 12 March.'))
  expect(message.parts.at(-1)).toMatchObject({ type: 'text', text: 'The next show is on 12 March.', state: 'done' })
})

test('the stock client comes back to a live turn and finds nothing when it is over', async () => {
  const chat = await act.openChat()
  const lost = await act.post(chat, '@words 40\n$ sleep 0.5')
  const transport = transportOf(chat)
  const resumed = await transport.reconnectToStream({ chatId: chat.chatId })
  if (resumed === null) throw new Error('there was nothing to resume')
  await lost.body?.cancel()
  const message = await fold(resumed)
  expect(partsOf(message)).toEqual((await act.load(chat)).messages[1]?.parts)
  expect(await transport.reconnectToStream({ chatId: chat.chatId })).toBeNull()
})
