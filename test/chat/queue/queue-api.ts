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

/** Requests to the message queue of a chat. */
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

  /** Sends a message to a busy chat. Returns the id of its queue entry. */
  const enqueue = async (chat: OpenChat, content: string, onBusy = 'queue'): Promise<string> => {
    const response = await sendBusy(chat, content, onBusy)
    expect(response.status).toBe(202)
    const { queued } = (await response.json()) as { queued: { id: string; position: number } }
    expect(response.headers.get('location')).toBe(`/api/chat/${chat.chatId}/queue/${queued.id}`)
    return queued.id
  }

  const sendRequest = async (chat: OpenChat, method: string, path = '', body?: object) => {
    const response = await world.request(method, `/api/chat/${chat.chatId}/queue${path}`, {
      key: chat.account.key,
      body,
    })
    return { status: response.status, body: response.body }
  }
  const readQueue = async (chat: OpenChat, after = ''): Promise<ShownQueue> =>
    (await sendRequest(chat, 'GET', after && `?after=${after}`)).body as ShownQueue
  const readEntry = async (chat: OpenChat, id: string): Promise<Entry> =>
    (await sendRequest(chat, 'GET', `/${id}`)).body as Entry

  /** Waits until a queued message has a run. Returns the run id. */
  const waitForRun = (chat: OpenChat, id: string): Promise<string> =>
    eventually('the turn of the message', async () => (await readEntry(chat, id)).runId ?? undefined)

  const readStream = async (chat: OpenChat, runId: string): Promise<Transcript> =>
    readTranscript(
      await world.fetch('GET', `/api/chat/${chat.chatId}/stream?runId=${runId}`, { key: chat.account.key }),
    )

  const userTexts = async (chat: OpenChat): Promise<unknown[]> =>
    (await chatApi.load(chat)).messages.filter(({ role }) => role === 'user').map(({ parts }) => parts[0]?.['text'])

  /** Waits until no turn runs and the queue is empty or held. */
  const untilIdle = (chat: OpenChat): Promise<true> =>
    eventually('an idle chat', async () => {
      const [{ chat: row }, { held, queue }] = await Promise.all([chatApi.load(chat), readQueue(chat)])
      return (row.activeStreamId === null && (held || queue.length === 0)) || undefined
    })

  return {
    ...chatApi,
    sendBusy,
    enqueue,
    sendRequest,
    readQueue,
    readEntry,
    waitForRun,
    readStream,
    userTexts,
    untilIdle,
  }
}
