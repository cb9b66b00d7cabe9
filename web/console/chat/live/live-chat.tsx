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
import { readEndReason, fullness, withEnd } from '../messages/turn.ts'
import { takeOpening } from '../begin/opening.ts'
import { WorkTree } from './work-tree.tsx'
import { stopTurn } from '../session-calls.ts'
import { createTransport, type ChatPlace } from './transport.ts'

const lookMs = 5000
const renderMs = 50

type Props = {
  place: ChatPlace
  loaded: LoadedChat
  /** What is being written: it outlives a reload of the chat. */
  draft: RefObject<string>
  onReload: () => void
}

/** A live chat: turns started here, on other pages and in the background. */
export function LiveChat({ place, loaded, draft, onReload }: Props) {
  const [isDiffShown, showDiff] = useState(false)
  const chat = useLiveChat(place, loaded)
  const { status, error, send, clearError } = chat
  const isBusy = status === 'submitted' || status === 'streaming'
  useOtherPages(place, chat, onReload)
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
          <button
            type="button"
            className="plain small"
            onClick={() => {
              clearError()
              onReload()
            }}
          >
            Load the chat again
          </button>
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
  const chat = useChat<UIMessage>({
    id: place.chatId,
    messages: loaded.messages,
    resume: loaded.isStreaming,
    transport,
    experimental_throttle: renderMs,
    sendAutomaticallyWhen: ({ messages }) =>
      readEndReason(messages.at(-1)) === 'awaiting_user' && lastAssistantMessageIsCompleteWithToolCalls({ messages }),
    // What was stored has neither the words of a lost attempt nor the end of a stream that failed.
    onFinish: ({ isAbort }) => {
      if (!isAbort) void settle()
    },
  })
  const settle = async (): Promise<void> => {
    const end = await loadEnd(place, 4).catch(() => undefined)
    if (end !== undefined && !end.isStreaming) chat.setMessages((messages) => withEnd(messages, end.messages))
    await markRead()
  }
  /** Resolves when the turn is over; rejects when the API did not take the message, which then stands nowhere. */
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
  const shown = useWithoutFlicker(chat.messages, chat.status === 'ready', loaded.messages.at(-1))
  const answer = (toolCallId: string, answers: Record<string, string>): void => {
    void chat.addToolOutput({ tool: 'ask_user_question', toolCallId, output: { answers } })
  }
  return { ...chat, shown, answer, send }
}

/** A turn that is read again from its beginning is shown as it was stored until it has come as far. */
function useWithoutFlicker(messages: UIMessage[], isSettled: boolean, stored: UIMessage | undefined): UIMessage[] {
  const last = messages.at(-1)
  if (isSettled || stored?.role !== 'assistant' || last?.id !== stored.id || fullness(last) >= fullness(stored))
    return messages
  return [...messages.slice(0, -1), stored]
}

/** What another page, a schedule or an agent does in this chat: it is loaded again when it has more than we have. */
function useOtherPages(
  place: ChatPlace,
  { messages, status }: { messages: UIMessage[]; status: string },
  onReload: () => void,
) {
  const end = useQuery({
    queryKey: ['chat-end', place.chatId],
    queryFn: () => loadEnd(place, 1),
    refetchInterval: lookMs,
    enabled: status === 'ready',
    gcTime: 0,
  })
  const seen = useRef(end.dataUpdatedAt)
  const reload = useRef(onReload)
  reload.current = onReload
  useEffect(() => {
    if (status !== 'ready' || end.data === undefined || seen.current === end.dataUpdatedAt) return
    seen.current = end.dataUpdatedAt
    const ours = messages.at(-1)
    const theirs = end.data.messages.at(-1)
    if (end.data.isStreaming || (theirs !== undefined && theirs.id !== ours?.id)) reload.current()
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

/** The transport throws the body of a refusal as the text of its error. */
function withApiText(error: Error): Error {
  try {
    const { error: text } = JSON.parse(error.message) as { error?: string }
    return text === undefined
      ? error
      : new Error(text === 'insufficient_credits' ? 'Not enough credits: buy some under Money.' : text)
  } catch {
    return error
  }
}
