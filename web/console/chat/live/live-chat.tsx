import { Alert, Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { UIMessage } from 'ai'
import { useEffect, useRef, useState } from 'react'
import { explain } from '../../access/failure.ts'
import { showFault } from '../../parts/toasts/toasts.ts'
import type { Attachment } from '../attachments/attachment.ts'
import { takeOpening } from '../begin/opening.ts'
import { Composer, type BusyMode } from '../composer.tsx'
import { keepDraft, readDraft, type UnsentMessage } from '../drafts.ts'
import { listOpenParts, readMetadata } from '../messages/turn.ts'
import { MessageList } from '../messages/message-list.tsx'
import { stopTurn } from '../session-calls.ts'
import { UnsentList } from '../unsent-list.tsx'
import { ChatHead } from './chat-head.tsx'
import { loadEnd, type LoadedChat } from './loading.ts'
import { Queue, useQueue } from './queue.tsx'
import { sendWhileBusy, type ChatPlace, type OwnMessage } from './turn-request.ts'
import { useLiveChat } from './use-live-chat.ts'
import { WorkTree } from './work-tree.tsx'

const checkMs = 5000
const queueCheckMs = 1000

type Field = { count: number; text: string; files: readonly Attachment[] }
type Props = { place: ChatPlace; loaded: LoadedChat; onReload: () => void }

/** Conversation of one chat: its messages, those that wait or were not sent, and the field for the next one. */
export function LiveChat({ place, loaded, onReload }: Props) {
  const { chatId } = place
  const [isDiffShown, showDiff] = useState(false)
  const chat = useLiveChat(place, loaded)
  const { status, error, send, clearError } = chat
  const isBusy = status === 'submitted' || status === 'streaming'
  const queue = useQueue(chatId, isBusy)
  const queries = useQueryClient()
  useReloadOnChange(place, chat, (queue.data?.queue.length ?? 0) > 0, onReload)
  const [field, setField] = useState<Field>({ count: 0, text: readDraft(chatId).text, files: [] })
  const [unsent, setUnsent] = useUnsent(chatId)
  const deliver = async (message: OwnMessage, mode: BusyMode): Promise<void> => {
    if (!isBusy) return send(message)
    const isStarted = await sendWhileBusy(place, chat.messages, message, mode)
    void queries.invalidateQueries({ queryKey: ['queue', chatId] })
    if (isStarted) onReload()
  }
  const sendNow = (message: OwnMessage, mode: BusyMode = 'queue'): void =>
    void deliver(message, mode).catch((failed: unknown) =>
      setUnsent((kept) => [...kept.filter(({ id }) => id !== message.id), { ...message, reason: explain(failed) }]),
    )
  const discard = ({ id }: UnsentMessage): void => setUnsent((kept) => kept.filter((one) => one.id !== id))
  const write = (text: string, files: readonly Attachment[]): void => {
    keepDraft(chatId, { text })
    setField(({ count }) => ({ count: count + 1, text, files }))
  }
  useOpening(chatId, (opening) => sendNow({ id: crypto.randomUUID(), ...opening }))
  return (
    <section className="conversation" aria-label="Conversation">
      <ChatHead
        place={place}
        loaded={loaded}
        isWaiting={!isBusy && listOpenParts(chat.messages.at(-1)).length > 0}
        isDiffShown={isDiffShown}
        onToggleDiff={() => showDiff(!isDiffShown)}
      />
      {isDiffShown ? (
        <WorkTree sessionId={place.sessionId} isBusy={isBusy} />
      ) : (
        <MessageList
          place={place}
          messages={chat.shown}
          isBusy={isBusy}
          actions={{
            answer: chat.answer,
            decide: chat.decide,
            edit: (id, text) => void chat.edit(id, text).catch(showFailure),
            regenerate: (id) => void chat.regenerateFrom(id).catch(showFailure),
            reload: onReload,
          }}
        />
      )}
      <UnsentList
        messages={unsent}
        onRetry={(message) => {
          discard(message)
          sendNow(message)
        }}
        onEdit={(message) => {
          discard(message)
          write([message.text, readDraft(chatId).text].filter(Boolean).join('\n'), message.files ?? [])
        }}
        onDiscard={discard}
      />
      {error !== undefined && readMetadata(chat.messages.at(-1)).endReason !== 'error' && (
        <Alert color="red" className="chat-fault" title={explain(error)}>
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
        </Alert>
      )}
      <Queue chatId={chatId} queue={queue} />
      <Composer
        key={field.count}
        files={field.files}
        onSend={(text, mode, files) => sendNow({ id: crypto.randomUUID(), text, files }, mode)}
        onStop={isBusy ? () => void stopTurn(chatId).catch(showFailure) : undefined}
        draft={field.text}
        onDraft={(text) => keepDraft(chatId, { text })}
      />
    </section>
  )
}

function showFailure(error: unknown): void {
  showFault(explain(error))
}

/** Messages of this chat that were not accepted, which survive a reload. */
function useUnsent(chatId: string) {
  const [unsent, setUnsent] = useState(() => readDraft(chatId).unsent)
  useEffect(() => keepDraft(chatId, { unsent }), [chatId, unsent])
  return [unsent, setUnsent] as const
}

/** Loads the chat again when another page, a schedule, the queue or an agent has added to it. */
function useReloadOnChange(
  place: ChatPlace,
  { messages, status }: { messages: UIMessage[]; status: string },
  hasQueue: boolean,
  onReload: () => void,
) {
  const end = useQuery({
    queryKey: ['chat-end', place.chatId],
    queryFn: () => loadEnd(place, 1),
    refetchInterval: hasQueue ? queueCheckMs : checkMs,
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
    if (end.data.isStreaming || (stored !== undefined && !isSameEnd(stored, shown))) reload.current()
  }, [status, end.data, end.dataUpdatedAt, messages])
}

/** False if `shown` is another message than the stored one, or shows an earlier state of its turn. */
function isSameEnd(stored: UIMessage, shown: UIMessage | undefined): boolean {
  const [one, other] = [readMetadata(stored), readMetadata(shown)]
  return stored.id === shown?.id && one.runId === other.runId && one.endReason === other.endReason
}

type Opening = NonNullable<ReturnType<typeof takeOpening>>

function useOpening(chatId: string, send: (opening: Opening) => void): void {
  const sending = useRef(send)
  sending.current = send
  useEffect(() => {
    const opening = takeOpening(chatId)
    if (opening !== undefined) sending.current(opening)
  }, [chatId])
}
