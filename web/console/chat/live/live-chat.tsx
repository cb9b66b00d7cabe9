import { Button } from '@mantine/core'
import { useChat } from '@ai-sdk/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lastAssistantMessageIsCompleteWithToolCalls, type UIMessage } from 'ai'
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { api } from '../../access/api.ts'
import { explain, read } from '../../access/failure.ts'
import { ChatHead } from './chat-head.tsx'
import { Composer } from '../composer.tsx'
import { loadEnd, type LoadedChat } from './loading.ts'
import { MessageList } from '../messages/message-list.tsx'
import { readEndReason, measureLength, replaceEnd } from '../messages/turn.ts'
import { takeOpening } from '../begin/opening.ts'
import { WorkTree } from './work-tree.tsx'
import { stopTurn } from '../session-calls.ts'
import { createTransport, type ChatPlace } from './transport.ts'

const checkMs = 5000
const renderThrottleMs = 50

type Props = {
  place: ChatPlace
  loaded: LoadedChat
  /** Text in the message field. It is kept when the chat is loaded again. */
  draft: RefObject<string>
  onReload: () => void
}

/** A chat whose turns may start on this page, on other pages or in the background. */
export function LiveChat({ place, loaded, draft, onReload }: Props) {
  const [isDiffShown, showDiff] = useState(false)
  const chat = useLiveChat(place, loaded)
  const { status, error, send, clearError } = chat
  const isBusy = status === 'submitted' || status === 'streaming'
  useReloadOnChange(place, chat, onReload)
  const [returns, setReturns] = useState(0)
  useOpening(place.chatId, (text) => {
    send(text).catch(() => {
      draft.current = text
      setReturns((count) => count + 1)
    })
  })
  return (
    <section className="conversation" aria-label="Conversation">
      <ChatHead place={place} loaded={loaded} isDiffShown={isDiffShown} onToggleDiff={() => showDiff(!isDiffShown)} />
      {isDiffShown ? (
        <WorkTree sessionId={place.sessionId} isBusy={isBusy} />
      ) : (
        <MessageList messages={chat.shown} isBusy={isBusy} onAnswer={chat.answer} />
      )}
      {error !== undefined && (
        <div className="error" role="alert">
          <p>{explain(withApiText(error))}</p>
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              clearError()
              onReload()
            }}
          >
            Load the chat again
          </Button>
        </div>
      )}
      <Composer
        key={returns}
        isBusy={isBusy}
        onSend={send}
        onStop={isBusy ? () => void stopTurn(place.chatId) : undefined}
        draft={draft.current}
        onDraft={(text) => {
          draft.current = text
        }}
      />
    </section>
  )
}

function useLiveChat(place: ChatPlace, loaded: LoadedChat) {
  const queries = useQueryClient()
  const isRefused = useRef(false)
  const transport = useMemo(
    () =>
      createTransport(place, () => {
        isRefused.current = true
      }),
    [place.chatId, place.sessionId],
  )
  const chat = useChat({
    id: place.chatId,
    messages: loaded.messages,
    resume: loaded.isStreaming,
    transport,
    experimental_throttle: renderThrottleMs,
    sendAutomaticallyWhen: ({ messages }) =>
      readEndReason(messages.at(-1)) === 'awaiting_user' && lastAssistantMessageIsCompleteWithToolCalls({ messages }),
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
  /** Resolves when the turn has ended. Rejects if the API refuses the message, and removes it from the list. */
  const send = async (text: string): Promise<void> => {
    isRefused.current = false
    await chat.sendMessage({ text })
    if (!isRefused.current) return
    chat.setMessages((messages) => (messages.at(-1)?.role === 'user' ? messages.slice(0, -1) : messages))
    throw new Error('The message was refused.')
  }
  const markRead = async (): Promise<void> => {
    await read(api.POST('/api/sessions/{sessionId}/chats/{chatId}/read', { params: { path: place } })).catch(() => {})
    await queries.invalidateQueries({ queryKey: ['sessions'] })
  }
  useEffect(() => void markRead(), [])
  const shown = useStoredUntilReplayed(chat.messages, chat.status === 'ready', loaded.messages.at(-1))
  const answer = (toolCallId: string, answers: Record<string, string>): void => {
    void chat.addToolOutput({ tool: 'ask_user_question', toolCallId, output: { answers } })
  }
  return { ...chat, shown, answer, send }
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

/** Loads the chat again when another page, a schedule or an agent has added to it. */
function useReloadOnChange(
  place: ChatPlace,
  { messages, status }: { messages: UIMessage[]; status: string },
  onReload: () => void,
) {
  const end = useQuery({
    queryKey: ['chat-end', place.chatId],
    queryFn: () => loadEnd(place, 1),
    refetchInterval: checkMs,
    enabled: status === 'ready',
    gcTime: 0,
  })
  const seen = useRef(end.dataUpdatedAt)
  const reload = useRef(onReload)
  reload.current = onReload
  useEffect(() => {
    if (status !== 'ready' || end.data === undefined || seen.current === end.dataUpdatedAt) return
    seen.current = end.dataUpdatedAt
    const shown = messages.at(-1)
    const stored = end.data.messages.at(-1)
    if (end.data.isStreaming || (stored !== undefined && stored.id !== shown?.id)) reload.current()
  }, [status, end.data, end.dataUpdatedAt, messages])
}

function useOpening(chatId: string, send: (text: string) => void): void {
  const sending = useRef(send)
  sending.current = send
  useEffect(() => {
    const text = takeOpening(chatId)
    if (text !== undefined) sending.current(text)
  }, [chatId])
}

/** Extracts the API's message: the transport uses the body of an error response as the text of its error. */
function withApiText(error: Error): Error {
  try {
    const { error: text } = JSON.parse(error.message) as { error?: string }
    return text === undefined
      ? error
      : new Error(text === 'insufficient_credits' ? 'Not enough credits: buy more under Money.' : text)
  } catch {
    return error
  }
}
