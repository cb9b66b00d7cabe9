import { useChat } from '@ai-sdk/react'
import { useQueryClient } from '@tanstack/react-query'
import {
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from 'ai'
import { useEffect, useMemo, useRef } from 'react'
import { api } from '../../access/api.ts'
import { read } from '../../access/failure.ts'
import { listFiles, toParts } from '../attachments/attachment.ts'
import { withoutRetracted } from '../messages/retractions.ts'
import { measureLength, readEndReason, replaceEnd } from '../messages/turn.ts'
import type { Decide } from '../parts/approval.tsx'
import { loadEnd, type LoadedChat } from './loading.ts'
import { createTransport } from './transport.ts'
import type { ChatPlace, OwnMessage } from './turn-request.ts'

const renderThrottleMs = 50

/** State and actions of a chat whose turns may start on this page, on other pages or in the background. */
export function useLiveChat(place: ChatPlace, loaded: LoadedChat) {
  const queries = useQueryClient()
  const refusal = useRef<string>(undefined)
  const transport = useMemo(
    () =>
      createTransport(
        place,
        (reason) => {
          refusal.current = reason
        },
        loaded.messages.at(-1),
      ),
    [place.chatId, place.sessionId],
  )
  const chat = useChat({
    id: place.chatId,
    messages: loaded.messages,
    resume: loaded.isStreaming,
    transport,
    experimental_throttle: renderThrottleMs,
    sendAutomaticallyWhen: ({ messages }) =>
      readEndReason(messages.at(-1)) === 'awaiting_user' &&
      (lastAssistantMessageIsCompleteWithToolCalls({ messages }) ||
        lastAssistantMessageIsCompleteWithApprovalResponses({ messages })),
    // The stored messages replace the streamed ones: these may contain text of an abandoned attempt, or lack the end of a
    // stream that failed.
    onFinish: ({ isAbort }) => {
      if (!isAbort) void syncWithStored()
    },
  })
  const syncWithStored = async (): Promise<void> => {
    const end = await loadEnd(place, 4).catch(() => undefined)
    if (end !== undefined && !end.isStreaming) chat.setMessages((messages) => replaceEnd(messages, end.messages))
    await markRead()
  }
  const markRead = async (): Promise<void> => {
    await read(api.POST('/api/sessions/{sessionId}/chats/{chatId}/read', { params: { path: place } })).catch(() => {})
    await Promise.all(['sessions', 'waiting'].map((key) => queries.invalidateQueries({ queryKey: [key] })))
  }
  useEffect(() => void markRead(), [])
  /** Runs `start` and resolves when its turn has ended. Rejects with the reason if the API does not accept the turn. */
  const begin = async (start: () => Promise<void>): Promise<void> => {
    const before = chat.messages
    refusal.current = undefined
    await start()
    const reason = refusal.current as string | undefined
    if (reason === undefined) return
    chat.clearError()
    chat.setMessages(before)
    throw new Error(reason)
  }
  return {
    ...chat,
    shown: useStoredUntilReplayed(useWithoutRetracted(chat.messages), chat.status === 'ready', loaded.messages.at(-1)),
    send: ({ id, text, files = [] }: OwnMessage) =>
      begin(() => chat.sendMessage({ id, role: 'user', parts: toParts(text, files) })),
    edit: (messageId: string, text: string) => {
      const edited = chat.messages.find(({ id }) => id === messageId)
      return begin(() => chat.sendMessage({ text, files: edited === undefined ? [] : listFiles(edited), messageId }))
    },
    regenerateFrom: (messageId: string) => begin(() => chat.regenerate({ messageId })),
    answer: (toolCallId: string, answers: Record<string, string>): void =>
      void chat.addToolOutput({ tool: 'ask_user_question', toolCallId, output: { answers } }),
    decide: ((decision) => void chat.addToolApprovalResponse(decision)) satisfies Decide,
  }
}

/** The messages without the words of abandoned attempts. Only the last one can have them. */
function useWithoutRetracted(messages: UIMessage[]): UIMessage[] {
  return useMemo(() => {
    const last = messages.at(-1)
    const kept = last && withoutRetracted(last)
    return kept === undefined || kept === last ? messages : [...messages.slice(0, -1), kept]
  }, [messages])
}

/** Shows the stored message while its turn is replayed from the start, until the replay has reached the same length. */
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
