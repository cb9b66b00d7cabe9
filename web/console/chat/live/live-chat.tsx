import { Alert, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { UIMessage } from 'ai'
import { useEffect, useRef, useState } from 'react'
import { explain } from '../../access/failure.ts'
import { refresh } from '../../access/queries.ts'
import { showError } from '../../parts/toasts/toasts.ts'
import type { Attachment } from '../attachments/attachment.ts'
import { consumeFirstMessage } from '../begin/first-message.ts'
import { Composer, type BusyMode } from '../composer.tsx'
import { saveDraft, readDraft, type UnsentMessage } from '../drafts.ts'
import { listPendingParts, readMetadata } from '../messages/turn.ts'
import { MessageList } from '../messages/message-list.tsx'
import { stopTurn } from '../session-calls.ts'
import { UnsentList } from '../unsent-list.tsx'
import { ChatHead } from './chat-head.tsx'
import { loadNewest, type LoadedChat } from './loading.ts'
import { Queue, useQueue } from './queue.tsx'
import { isBusyRejection, sendWhileBusy, type ChatIds, type UserMessage } from './turn-request.ts'
import { useLiveChat } from './use-live-chat.ts'
import { WorkingTree } from './working-tree.tsx'

const pollMs = 5000
const queuePollMs = 1000

type Field = { version: number; text: string; files: readonly Attachment[] }
type Props = { chatIds: ChatIds; initialChat: LoadedChat; onReload: () => void }

/** Conversation of one chat: its messages, the queued and unsent messages, and the composer. */
export function LiveChat({ chatIds, initialChat, onReload }: Props) {
  const { chatId } = chatIds
  const [isDiffShown, setDiffShown] = useState(false)
  const chat = useLiveChat(chatIds, initialChat)
  const { status, error, send, clearError } = chat
  const isBusy = status === 'submitted' || status === 'streaming'
  const queue = useQueue(chatId, isBusy)
  useReloadOnChange(chatIds, chat, (queue.data?.queue.length ?? 0) > 0, onReload)
  const [field, setField] = useState<Field>({ version: 0, text: readDraft(chatId).text, files: [] })
  const [unsent, setUnsent] = useUnsent(chatId)
  const deliver = async (message: UserMessage, mode: BusyMode): Promise<void> => {
    if (!isBusy) {
      try {
        return await send(message)
      } catch (error) {
        // Another page or a schedule has started a turn that this page has not yet loaded.
        if (!isBusyRejection(error)) throw error
      }
    }
    const isStarted = await sendWhileBusy(chatIds, chat.messages, message, mode)
    void refresh('queue')
    if (isStarted) onReload()
  }
  const sendNow = (message: UserMessage, mode: BusyMode = 'queue'): void =>
    void deliver(message, mode).catch((reason: unknown) =>
      setUnsent((current) => [
        ...current.filter(({ id }) => id !== message.id),
        { ...message, reason: explain(reason) },
      ]),
    )
  const discard = ({ id }: UnsentMessage): void => setUnsent((current) => current.filter((other) => other.id !== id))
  const fillField = (text: string, files: readonly Attachment[]): void => {
    saveDraft(chatId, { text })
    setField(({ version }) => ({ version: version + 1, text, files }))
  }
  useFirstMessage(chatId, (message) => sendNow({ id: crypto.randomUUID(), ...message }))
  return (
    <section className="conversation" aria-label="Conversation">
      <ChatHead
        chatIds={chatIds}
        initialChat={initialChat}
        isWaiting={!isBusy && listPendingParts(chat.messages.at(-1)).length > 0}
        isDiffShown={isDiffShown}
        onToggleDiff={() => setDiffShown(!isDiffShown)}
      />
      {isDiffShown ? (
        <WorkingTree sessionId={chatIds.sessionId} isBusy={isBusy} />
      ) : (
        <MessageList
          chatIds={chatIds}
          messages={chat.visibleMessages}
          isBusy={isBusy}
          actions={{
            answer: chat.answer,
            decide: chat.decide,
            edit: (id, text) => void chat.edit(id, text).catch(showError),
            regenerate: (id) => void chat.regenerateFrom(id).catch(showError),
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
          fillField([message.text, readDraft(chatId).text].filter(Boolean).join('\n'), message.files ?? [])
        }}
        onDiscard={discard}
      />
      {error !== undefined && readMetadata(chat.messages.at(-1)).endReason !== 'error' && (
        <Alert color="red" className="chat-error" title={explain(error)}>
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
        key={field.version}
        files={field.files}
        onSend={(text, mode, files) => sendNow({ id: crypto.randomUUID(), text, files }, mode)}
        onStop={isBusy ? () => void stopTurn(chatId).catch(showError) : undefined}
        draft={field.text}
        onDraft={(text) => saveDraft(chatId, { text })}
      />
    </section>
  )
}

/** Returns the unsent messages of this chat, which survive a reload. */
function useUnsent(chatId: string) {
  const [unsent, setUnsent] = useState(() => readDraft(chatId).unsent)
  useEffect(() => saveDraft(chatId, { unsent }), [chatId, unsent])
  return [unsent, setUnsent] as const
}

/** Reloads the chat when another page, a schedule, the queue or an agent has added messages. */
function useReloadOnChange(
  chatIds: ChatIds,
  { messages, status }: { messages: UIMessage[]; status: string },
  hasQueue: boolean,
  onReload: () => void,
) {
  const newest = useQuery({
    queryKey: ['chat-newest', chatIds.chatId],
    queryFn: () => loadNewest(chatIds, 1),
    refetchInterval: hasQueue ? queuePollMs : pollMs,
    enabled: status === 'ready',
    gcTime: 0,
  })
  const handledAt = useRef(newest.dataUpdatedAt)
  const reload = useRef(onReload)
  reload.current = onReload
  useEffect(() => {
    if (status !== 'ready' || newest.data === undefined || handledAt.current === newest.dataUpdatedAt) return
    handledAt.current = newest.dataUpdatedAt
    const shownMessage = messages.at(-1)
    const storedMessage = newest.data.messages.at(-1)
    if (newest.data.isStreaming || (storedMessage !== undefined && !isSameState(storedMessage, shownMessage)))
      reload.current()
  }, [status, newest.data, newest.dataUpdatedAt, messages])
}

/** True if `shown` is the stored message in the same state of its turn. */
function isSameState(stored: UIMessage, shown: UIMessage | undefined): boolean {
  const [storedTurn, shownTurn] = [readMetadata(stored), readMetadata(shown)]
  return stored.id === shown?.id && storedTurn.runId === shownTurn.runId && storedTurn.endReason === shownTurn.endReason
}

type FirstMessage = NonNullable<ReturnType<typeof consumeFirstMessage>>

function useFirstMessage(chatId: string, send: (message: FirstMessage) => void): void {
  const latestSend = useRef(send)
  latestSend.current = send
  useEffect(() => {
    const message = consumeFirstMessage(chatId)
    if (message !== undefined) latestSend.current(message)
  }, [chatId])
}
