import { readTranscript } from '../world/transcript.ts'
import { eventually, type World, type WorldOptions } from '../world/world.ts'
import { approvalsApiOf } from './approvals/approvals-api.ts'
import { chatApiOf, userMessage, type OpenChat } from './chat-api.ts'

type Scenario = { options?: WorldOptions; play: (world: World) => Promise<string> }

const limited = { contextLimit: 400 }

/** Two turns that leave little room for a third. */
const openFull = async (world: World): Promise<OpenChat> => {
  const chatApi = chatApiOf(world)
  const chat = await chatApi.openChat()
  const path = `/api/sessions/${chat.sessionId}/chats/${chat.chatId}`
  await world.request('PATCH', path, { key: chat.account.key, body: { autoCompact: true } })
  for (const text of ['@words 30', '@words 40']) await readTranscript(await postAll(world, chat, text))
  return chat
}

const postAll = async (world: World, chat: OpenChat, text: string): Promise<Response> => {
  const chatApi = chatApiOf(world)
  const { messages } = await chatApi.load(chat)
  return chatApi.post(chat, '', { messages: [...messages, userMessage(text)], context: limited })
}

const runIdOf = (response: Response): string => response.headers.get('x-workflow-run-id') ?? ''

/** The paths of turns that summarise what comes before them, or go on with approved calls. */
export const chatScenarios: Record<string, Scenario> = {
  'turn-compacted': {
    play: async (world) => {
      const response = await postAll(world, await openFull(world), `$ echo ${'recorded words '.repeat(60)}`)
      await readTranscript(response)
      return runIdOf(response)
    },
  },
  'turn-approved': {
    play: async (world) => {
      const chatApi = chatApiOf(world)
      const api = approvalsApiOf(world, chatApi)
      const chat = await chatApi.openChat()
      await api.ask(chat, { tools: ['bash'] })
      await chatApi.send(chat, '$ echo recorded words')
      const response = await api.answer(chat, { approved: true })
      await readTranscript(response)
      return runIdOf(response)
    },
  },
  'compact-chat': {
    play: async (world) => {
      const chat = await openFull(world)
      const path = `/api/chat/${chat.chatId}/compact`
      await eventually('the summary', async () => {
        const { status } = await world.request('POST', path, { key: chat.account.key })
        return status === 200 || undefined
      })
      return `compact:${chat.chatId}`
    },
  },
}
