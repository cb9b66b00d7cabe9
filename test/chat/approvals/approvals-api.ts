import type { createChatApi, OpenChat } from '../chat-api.ts'
import { readTranscript, type Transcript } from '../../world/transcript.ts'
import type { World } from '../../world/world.ts'

type Part = Record<string, unknown>
type Message = { id: string; role: string; parts: Part[] }
type Answer = { approved: boolean; reason?: string }

const isRequest = (part: Part): boolean => part['state'] === 'approval-requested'

/** The requests of a client of a chat with approvals. */
export const createApprovalsApi = (world: World, chatApi: ReturnType<typeof createChatApi>) => {
  const sendRequest = (chat: Pick<OpenChat, 'account' | 'sessionId'>, approvals: unknown) =>
    world.request<{ session: { approvals?: object } }>('PATCH', `/api/sessions/${chat.sessionId}`, {
      key: chat.account.key,
      body: { approvals },
    })

  const messages = async (chat: OpenChat): Promise<Message[]> => (await chatApi.load(chat)).messages

  /** The calls of the last message that wait for an answer. */
  const requests = async (chat: OpenChat): Promise<Part[]> =>
    (await messages(chat)).at(-1)?.parts.filter(isRequest) ?? []

  /** The chats of the account with a turn that waits for the user. */
  const waiting = async ({ account }: OpenChat): Promise<unknown[]> => {
    const { body } = await world.request<{ runs: { chatId: unknown }[] }>('GET', '/api/runs?waiting=true', account)
    return body.runs.map(({ chatId }) => chatId)
  }

  /** The chat's messages with these answers to the requested approvals, in their order. */
  const answered = async (chat: OpenChat, answers: Answer[]): Promise<Message[]> => {
    const rest = [...answers]
    const all = await messages(chat)
    return all.map((message) => ({
      ...message,
      parts: message.parts.map((part) => {
        const answer = isRequest(part) ? rest.shift() : undefined
        if (answer === undefined) return part
        return { ...part, state: 'approval-responded', approval: { ...(part['approval'] as object), ...answer } }
      }),
    }))
  }

  const answer = async (chat: OpenChat, ...answers: Answer[]): Promise<Response> =>
    chatApi.post(chat, '', { messages: await answered(chat, answers) })

  /** The stream of the turn that continues. */
  const goOn = async (chat: OpenChat, ...answers: Answer[]): Promise<Transcript> => {
    const response = await answer(chat, ...answers)
    if (response.status !== 200) throw new Error(`refused: ${response.status} ${await response.text()}`)
    return readTranscript(response)
  }

  return { sendRequest, messages, requests, waiting, answered, answer, goOn }
}
