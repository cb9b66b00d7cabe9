import { useChat } from '@ai-sdk/react'
import {
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from 'ai'
import { useEffect, useMemo, useRef } from 'react'
import { api } from '../../access/api.ts'
import { refresh } from '../../access/queries.ts'
import { listFiles, toParts } from '../attachments/attachment.ts'
import { withoutRetracted } from '../messages/retractions.ts'
import { measureLength, readEndReason, replaceTail } from '../messages/turn.ts'
import type { ApprovalHandler } from '../parts/approval.tsx'
import { loadNewest, type LoadedChat } from './loading.ts'
import { createTransport } from './transport.ts'
import type { ChatIds, UserMessage } from './turn-request.ts'

const renderThrottleMs = 50

/** Returns the state and the actions of a chat whose turns may start on this page, on other pages or in the background. */
export function useLiveChat(chatIds: ChatIds, initialChat: LoadedChat) {
  const rejection = useRef<unknown>(undefined)
  const transport = useMemo(
    () =>
      createTransport(
        chatIds,
        (error) => {
          rejection.current = error
        },
        initialChat.messages.at(-1),
      ),
    [chatIds.chatId, chatIds.sessionId],
  )
  const chat = useChat({
    id: chatIds.chatId,
    messages: initialChat.messages,
    resume: initialChat.isStreaming,
    transport,
    experimental_throttle: renderThrottleMs,
    sendAutomaticallyWhen: ({ messages }) =>
      readEndReason(messages.at(-1)) === 'awaiting_user' &&
      (lastAssistantMessageIsCompleteWithToolCalls({ messages }) ||
        lastAssistantMessageIsCompleteWithApprovalResponses({ messages })),
    // The stored messages replace the streamed messages, which may contain text of an abandoned attempt or lack the end of
    // a failed stream.
    onFinish: ({ isAbort }) => {
      if (!isAbort) void syncWithStored()
    },
  })
  const syncWithStored = async (): Promise<void> => {
    const newest = await loadNewest(chatIds, 4).catch(() => undefined)
    if (newest !== undefined && !newest.isStreaming)
      chat.setMessages((messages) => replaceTail(messages, newest.messages))
    await markRead()
  }
  const markRead = async (): Promise<void> => {
    await api.POST('/api/sessions/{sessionId}/chats/{chatId}/read', { path: chatIds }).catch(() => {})
    await refresh('sessions', 'waiting')
  }
  useEffect(() => void markRead(), [])
  /** Runs `start` and resolves when its turn has ended. Throws the error if the API rejects the turn. */
  const run = async (start: () => Promise<void>): Promise<void> => {
    const previousMessages = chat.messages
    rejection.current = undefined
    await start()
    const error = rejection.current
    if (error === undefined) return
    chat.clearError()
    chat.setMessages(previousMessages)
    throw error
  }
  return {
    ...chat,
    visibleMessages: useStoredUntilReplayed(
      useWithoutRetracted(chat.messages),
      chat.status === 'ready',
      initialChat.messages.at(-1),
    ),
    send: ({ id, text, files = [] }: UserMessage) =>
      run(() => chat.sendMessage({ id, role: 'user', parts: toParts(text, files) })),
    edit: (messageId: string, text: string) => {
      const message = chat.messages.find(({ id }) => id === messageId)
      return run(() => chat.sendMessage({ text, files: message === undefined ? [] : listFiles(message), messageId }))
    },
    regenerateFrom: (messageId: string) => run(() => chat.regenerate({ messageId })),
    answer: (toolCallId: string, answers: Record<string, string>): void =>
      void chat.addToolOutput({ tool: 'ask_user_question', toolCallId, output: { answers } }),
    decide: ((decision) => void chat.addToolApprovalResponse(decision)) satisfies ApprovalHandler,
  }
}

/** Returns the messages without the output of abandoned attempts, which only the last message can contain. */
function useWithoutRetracted(messages: UIMessage[]): UIMessage[] {
  return useMemo(() => {
    const last = messages.at(-1)
    const visible = last && withoutRetracted(last)
    return visible === undefined || visible === last ? messages : [...messages.slice(0, -1), visible]
  }, [messages])
}

/** Returns the messages with the stored last message until the replay of its turn has reached the same length. */
function useStoredUntilReplayed(messages: UIMessage[], isSettled: boolean, stored: UIMessage | undefined): UIMessage[] {
  const last = messages.at(-1)
  if (
    isSettled ||
    stored?.role !== 'assistant' ||
    last?.id !== stored.id ||
    measureLength(last) >= measureLength(stored)
  )
    return messages
  return [...messages.slice(0, -1), stored]
}
