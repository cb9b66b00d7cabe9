import type { createChatApi, OpenChat } from '../chat-api.ts'
import { readTranscript, type Transcript } from '../../world/transcript.ts'
import type { World } from '../../world/world.ts'

type Part = Record<string, unknown>
type Message = { id: string; role: string; parts: Part[] }
type ApprovalAnswer = { approved: boolean; reason?: string }

const isRequest = (part: Part): boolean => part['state'] === 'approval-requested'

/** Requests to a chat whose session requires approvals. */
export const createApprovalsApi = (world: World, chatApi: ReturnType<typeof createChatApi>) => {
  const sendRequest = (chat: Pick<OpenChat, 'account' | 'sessionId'>, approvals: unknown) =>
    world.request<{ session: { approvals?: object } }>('PATCH', `/api/sessions/${chat.sessionId}`, {
      key: chat.account.key,
      body: { approvals },
    })

  const messages = async (chat: OpenChat): Promise<Message[]> => (await chatApi.load(chat)).messages

  /** Lists the tool calls of the last message that await approval. */
  const requests = async (chat: OpenChat): Promise<Part[]> =>
    (await messages(chat)).at(-1)?.parts.filter(isRequest) ?? []

  /** Lists the ids of the account's chats with a turn that awaits the user. */
  const listWaiting = async ({ account }: OpenChat): Promise<unknown[]> => {
    const { body } = await world.request<{ runs: { chatId: unknown }[] }>('GET', '/api/runs?waiting=true', account)
    return body.runs.map(({ chatId }) => chatId)
  }

  /** Returns the chat's messages with these answers to the requested approvals, in order. */
  const withAnswers = async (chat: OpenChat, answers: ApprovalAnswer[]): Promise<Message[]> => {
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

  const answer = async (chat: OpenChat, ...answers: ApprovalAnswer[]): Promise<Response> =>
    chatApi.post(chat, '', { messages: await withAnswers(chat, answers) })

  /** Sends the answers and reads the stream of the continued turn. */
  const answerAndRead = async (chat: OpenChat, ...answers: ApprovalAnswer[]): Promise<Transcript> => {
    const response = await answer(chat, ...answers)
    if (response.status !== 200) throw new Error(`rejected: ${response.status} ${await response.text()}`)
    return readTranscript(response)
  }

  return { sendRequest, messages, requests, listWaiting, withAnswers, answer, answerAndRead }
}
