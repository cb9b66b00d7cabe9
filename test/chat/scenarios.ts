import { findLastBeforeUser } from '../../db/sessions/summaries.ts'
import { compactChat } from '../../workflows/chat/messages.ts'
import { startWorkerInProcess } from '../crash/processes.ts'
import { createFakeModel } from '../world/models/fake-model.ts'
import { readTranscript } from '../world/transcript.ts'
import { eventually, type World, type WorldOptions } from '../world/world.ts'
import { createApprovalsApi } from './approvals/approvals-api.ts'
import { createChatApi, userMessage, type OpenChat } from './chat-api.ts'

type Scenario = { options?: WorldOptions; play: (world: World) => Promise<string> }

const limited = { contextLimit: 400 }

/** Sends two turns that leave little context for a third. Returns the chat. */
const fillContext = async (world: World, chat: OpenChat): Promise<OpenChat> => {
  const path = `/api/sessions/${chat.sessionId}/chats/${chat.chatId}`
  await world.request('PATCH', path, { key: chat.account.key, body: { autoCompact: true } })
  for (const text of ['@words 30', '@words 40']) await readTranscript(await postAll(world, chat, text))
  return chat
}

const postAll = async (world: World, chat: OpenChat, text: string): Promise<Response> => {
  const chatApi = createChatApi(world)
  const { messages } = await chatApi.load(chat)
  return chatApi.post(chat, '', { messages: [...messages, userMessage(text)], context: limited })
}

/** Returns the workflow id of the next summary. */
const compactId = async (world: World, { chatId }: Pick<OpenChat, 'chatId'>): Promise<string> => {
  const throughId = (await findLastBeforeUser(world.db, chatId)) ?? ''
  return compactChat.id({ chatId, throughId })
}

const readRunId = (response: Response): string => response.headers.get('x-workflow-run-id') ?? ''

/** No server listens at this model URL. The scenario starts a worker with another model. */
const withoutModel: WorldOptions = { worker: false, settings: { MODEL_BASE_URL: 'http://127.0.0.1:9/v1' } }

/** Plays a scenario in a full chat whose model fails on summaries. Waits until the workflow has ended. */
const withoutSummary = async (world: World, play: (chat: OpenChat) => Promise<string>): Promise<string> => {
  const model = await createFakeModel()
  const worker = await startWorkerInProcess(world, { MODEL_BASE_URL: model.url })
  try {
    model.always(({ body }) =>
      JSON.stringify(body.messages).includes('Summarize')
        ? { status: 400, body: '{}' }
        : { text: 'recorded words '.repeat(40) },
    )
    const workflowId = await play(await fillContext(world, await createChatApi(world).openChatWithoutCommands()))
    await eventually('the end', async () => (await world.engine.readState(workflowId)) === 'ended' || undefined)
    return workflowId
  } finally {
    await worker.stop()
    await model.close()
  }
}

/** Scenarios of turns that summarize earlier turns or continue with approved calls. */
export const chatScenarios: Record<string, Scenario> = {
  'turn-compacted': {
    play: async (world) => {
      const chat = await fillContext(world, await createChatApi(world).openChat())
      const response = await postAll(world, chat, `$ echo ${'recorded words '.repeat(60)}`)
      await readTranscript(response)
      return readRunId(response)
    },
  },
  'turn-not-compacted': {
    options: withoutModel,
    play: (world) =>
      withoutSummary(world, async (chat) => {
        const response = await postAll(world, chat, 'recorded words '.repeat(60))
        await readTranscript(response)
        return readRunId(response)
      }),
  },
  'turn-approved': {
    play: async (world) => {
      const chatApi = createChatApi(world)
      const api = createApprovalsApi(world, chatApi)
      const chat = await chatApi.openChat()
      await api.sendRequest(chat, { tools: ['bash'] })
      await chatApi.send(chat, '$ echo recorded words')
      const response = await api.answer(chat, { approved: true })
      await readTranscript(response)
      return readRunId(response)
    },
  },
  'compact-chat': {
    play: async (world) => {
      const chat = await fillContext(world, await createChatApi(world).openChat())
      const path = `/api/chat/${chat.chatId}/compact`
      await eventually('the summary', async () => {
        const { status } = await world.request('POST', path, { key: chat.account.key })
        return status === 200 || undefined
      })
      return compactId(world, chat)
    },
  },
  'compact-chat-failed': {
    options: withoutModel,
    play: (world) =>
      withoutSummary(world, async ({ chatId, account }) => {
        const { status } = await world.request('POST', `/api/chat/${chatId}/compact`, { key: account.key })
        if (status !== 502) throw new Error(`the summary returned ${status}`)
        return compactId(world, { chatId })
      }),
  },
}
