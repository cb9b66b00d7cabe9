import type { UIMessage } from 'ai'
import type { Message } from '../../../../client/index.ts'
import { api } from '../../access/api.ts'
import { read } from '../../access/failure.ts'
import { readMetadata } from '../messages/turn.ts'
import type { ChatPlace } from './turn-request.ts'

export type LoadedChat = { title: string; modelId: string; isStreaming: boolean; messages: UIMessage[] }

/** Loads a chat with all its messages, page by page from the newest. */
export async function loadChat(place: ChatPlace): Promise<LoadedChat> {
  const newest = await readPage(place, {})
  const pages = [newest.messages]
  for (let before = newest.nextBefore; before !== null;) {
    const page = await readPage(place, { before })
    pages.unshift(page.messages)
    before = page.nextBefore
  }
  const { title, modelId } = newest.chat
  return { title, modelId, isStreaming: newest.isStreaming, messages: pages.flat().map(asUiMessage) }
}

/** Loads the last messages of a chat and whether a turn runs in it. */
export async function loadEnd(place: ChatPlace, limit: number): Promise<LoadedChat> {
  const { chat, isStreaming, messages } = await readPage(place, { limit })
  return { title: chat.title, modelId: chat.modelId, isStreaming, messages: messages.map(asUiMessage) }
}

/** Finds the user message that a run answered. Throws if it is not plain text or no longer exists. */
export async function findQuestion(place: ChatPlace, runId: string): Promise<string> {
  let newer: UIMessage[] = []
  for (let before: string | undefined | null; before !== null;) {
    const page = await readPage(place, before === undefined ? {} : { before })
    newer = [...page.messages.map(asUiMessage), ...newer]
    const at = newer.findIndex((message) => message.role === 'assistant' && readMetadata(message).runId === runId)
    const question = newer.slice(0, Math.max(0, at)).findLast(({ role }) => role === 'user')
    if (question !== undefined) return readText(question)
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

function readPage({ sessionId, chatId }: ChatPlace, query: { limit?: number; before?: string }) {
  return read(api.GET('/api/sessions/{sessionId}/chats/{chatId}', { params: { path: { sessionId, chatId }, query } }))
}

/** The API stores messages in the format of the SDK. */
function asUiMessage(message: Message): UIMessage {
  return message as unknown as UIMessage
}
