import { expect } from 'vitest'
import { readTranscript, type Transcript } from '../../world/transcript.ts'
import { eventually, type World } from '../../world/world.ts'
import { createChatApi, userMessage, type OpenChat } from '../chat-api.ts'

type Entry = {
  id: string
  messageId: string
  state: string
  onBusy: string
  position: number | null
  text: string | null
  runId: string | null
}
export type ShownQueue = {
  held: boolean
  heldBecause: string | null
  heldText: string | null
  queue: Entry[]
  nextAfter?: string
}

/** The requests of a test about messages that wait. */
export const createQueueApi = (world: World) => {
  const chatApi = createChatApi(world)

  const sendBusy = (chat: OpenChat, content: string, onBusy: string, more: object = {}): Promise<Response> =>
    world.fetch('POST', '/api/chat', {
      key: chat.account.key,
      body: {
        chatId: chat.chatId,
        sessionId: chat.sessionId,
        messages: [userMessage(content)],
        onBusy,
        ...more,
      },
    })

  /** Sends a message that has to wait; returns the id of its entry. */
  const wait = async (chat: OpenChat, content: string, onBusy = 'queue'): Promise<string> => {
    const answer = await sendBusy(chat, content, onBusy)
    expect(answer.status).toBe(202)
    const { queued } = (await answer.json()) as { queued: { id: string; position: number } }
    expect(answer.headers.get('location')).toBe(`/api/chat/${chat.chatId}/queue/${queued.id}`)
    return queued.id
  }

  const sendRequest = async (chat: OpenChat, method: string, path = '', body?: object) => {
    const answer = await world.request(method, `/api/chat/${chat.chatId}/queue${path}`, {
      key: chat.account.key,
      body,
    })
    return { status: answer.status, body: answer.body }
  }
  const queueOf = async (chat: OpenChat, after = ''): Promise<ShownQueue> =>
    (await sendRequest(chat, 'GET', after && `?after=${after}`)).body as ShownQueue
  const entryOf = async (chat: OpenChat, id: string): Promise<Entry> =>
    (await sendRequest(chat, 'GET', `/${id}`)).body as Entry

  /** The run of a message, once it has one. */
  const runOf = (chat: OpenChat, id: string): Promise<string> =>
    eventually('the turn of the message', async () => (await entryOf(chat, id)).runId ?? undefined)

  const streamOf = async (chat: OpenChat, runId: string): Promise<Transcript> =>
    readTranscript(
      await world.fetch('GET', `/api/chat/${chat.chatId}/stream?runId=${runId}`, { key: chat.account.key }),
    )

  const userTexts = async (chat: OpenChat): Promise<unknown[]> =>
    (await chatApi.load(chat)).messages.filter(({ role }) => role === 'user').map(({ parts }) => parts[0]?.['text'])

  /** Waits until nothing runs and nothing waits that is not held. */
  const untilIdle = (chat: OpenChat): Promise<true> =>
    eventually('an idle chat', async () => {
      const [{ chat: row }, { held, queue }] = await Promise.all([chatApi.load(chat), queueOf(chat)])
      return (row.activeStreamId === null && (held || queue.length === 0)) || undefined
    })

  return { ...chatApi, sendBusy, wait, sendRequest, queueOf, entryOf, runOf, streamOf, userTexts, untilIdle }
}
