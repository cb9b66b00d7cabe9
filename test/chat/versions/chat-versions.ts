import { z } from 'zod'
import { branchSchema, type Branch } from '../../../domain/chat/branches.ts'
import { listFrames, type Transcript } from '../../world/transcript.ts'
import type { World } from '../../world/world.ts'
import { createChatApi, type OpenChat } from '../chat-api.ts'

const listResponse = z.object({ branches: z.array(branchSchema.strict()) })
const selectResponse = z.object({ branch: branchSchema.strict() })

type Page = {
  branch: string
  isStreaming: boolean
  messages: { id: string; role: string; parts: Record<string, unknown>[] }[]
}

const buildPath = ({ sessionId, chatId }: OpenChat): string => `/api/sessions/${sessionId}/chats/${chatId}`

/** Requests to the branches of a chat. */
export const createVersionsApi = (world: World) => {
  const { post: postTo, send: sendTo } = createChatApi(world)
  const post = (chat: OpenChat, members: object): Promise<Response> => postTo(chat, 'ignored', { members })
  const send = (chat: OpenChat, members: object): Promise<Transcript> => sendTo(chat, 'ignored', { members })

  /** Returns the history of the selected branch. */
  const readHistory = async (chat: OpenChat, query = ''): Promise<Page> => {
    const { body } = await world.request<Page>('GET', buildPath(chat) + query, { key: chat.account.key })
    return body
  }

  const list = async (chat: OpenChat): Promise<Branch[]> => {
    const { body } = await world.request('GET', `${buildPath(chat)}/branches`, { key: chat.account.key })
    return listResponse.parse(body).branches
  }

  const sendSelect = (chat: OpenChat, id: string) =>
    world.request<{ error?: string }>('POST', `${buildPath(chat)}/branches/${id}/select`, { key: chat.account.key })

  const select = async (chat: OpenChat, id: string): Promise<Branch> => {
    const { status, body } = await sendSelect(chat, id)
    if (status !== 200) throw new Error(`not selected: ${status} ${JSON.stringify(body)}`)
    return selectResponse.parse(body).branch
  }

  return { post, send, readHistory, list, select, trySelect: sendSelect }
}

/** Returns one text per message. */
export const listTexts = ({ messages }: Page): string[] =>
  messages.map(({ parts }) =>
    parts
      .filter(({ type }) => type === 'text')
      .map(({ text }) => String(text))
      .join(''),
  )

/** Returns the data of the branch frames in a log. */
export const listBranchFrames = (transcript: Transcript): Record<string, unknown>[] =>
  listFrames(transcript)
    .filter(({ type }) => type === 'data-branch')
    .map(({ data }) => data as Record<string, unknown>)
