import type { UIMessage } from 'ai'
import type { Message } from '../../../../client/index.ts'
import { api } from '../../access/api.ts'
import { readMetadata } from '../messages/turn.ts'
import type { ChatIds } from './turn-request.ts'

export type LoadedChat = { title: string; modelId: string; isStreaming: boolean; messages: UIMessage[] }

/** Loads a chat with all its messages, page by page from the newest. */
export async function loadChat(chatIds: ChatIds): Promise<LoadedChat> {
  const newest = await readPage(chatIds, {})
  const pages = [newest.messages]
  for (let before = newest.nextBefore; before !== null;) {
    const page = await readPage(chatIds, { before })
    pages.unshift(page.messages)
    before = page.nextBefore
  }
  const { title, modelId } = newest.chat
  return { title, modelId, isStreaming: newest.isStreaming, messages: pages.flat().map(asUiMessage) }
}

/** Loads the newest messages of a chat, and whether a turn is running in it. */
export async function loadNewest(chatIds: ChatIds, limit: number): Promise<LoadedChat> {
  const { chat, isStreaming, messages } = await readPage(chatIds, { limit })
  return { title: chat.title, modelId: chat.modelId, isStreaming, messages: messages.map(asUiMessage) }
}

/** Returns the text of the user message that a run answered. Throws if it contains files or no longer exists. */
export async function findUserMessage(chatIds: ChatIds, runId: string): Promise<string> {
  let newer: UIMessage[] = []
  for (let before: string | undefined | null; before !== null;) {
    const page = await readPage(chatIds, before === undefined ? {} : { before })
    newer = [...page.messages.map(asUiMessage), ...newer]
    const index = newer.findIndex((answer) => answer.role === 'assistant' && readMetadata(answer).runId === runId)
    const message = newer.slice(0, Math.max(0, index)).findLast(({ role }) => role === 'user')
    if (message !== undefined) return readText(message)
    before = page.nextBefore
  }
  throw new Error('The message of this run no longer exists.')
}

function readText({ parts }: UIMessage): string {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  if (texts.length < parts.length || texts.join('').trim() === '')
    throw new Error('The message of this run contains files. Send it again in the chat.')
  return texts.join('\n')
}

function readPage({ sessionId, chatId }: ChatIds, query: { limit?: number; before?: string }) {
  return api.GET('/api/sessions/{sessionId}/chats/{chatId}', { path: { sessionId, chatId }, query })
}

/** Changes only the type, because the API stores messages in the format of the AI SDK. */
function asUiMessage(message: Message): UIMessage {
  return message as unknown as UIMessage
}
