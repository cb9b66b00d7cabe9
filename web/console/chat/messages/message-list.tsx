import { Button } from '@mantine/core'
import IconArrowDown from '@tabler/icons-react/icons/IconArrowDown'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { UIMessage } from 'ai'
import { useEffect, useMemo, useRef, useState } from 'react'
import { api } from '../../access/api.ts'
import { refreshAfter } from '../../access/queries.ts'
import { showError } from '../../parts/toasts/toasts.ts'
import type { ChatIds } from '../live/turn-request.ts'
import type { ChatActions } from './message-actions.tsx'
import { Message } from './message.tsx'
import { SummaryNote, useSummaries } from './summaries.tsx'
import { findVersions } from './versions.ts'

type Props = {
  chatIds: ChatIds
  messages: UIMessage[]
  isBusy: boolean
  actions: Omit<ChatActions, 'select' | 'fork'> & { reload: () => void }
}

const chatRoute = '/api/sessions/{sessionId}/chats/{chatId}'
const estimatedHeight = 140
const endThresholdPixels = 80

/** Renders only the visible messages. Follows the end of the list while the end is visible. */
export function MessageList({ chatIds, messages, isBusy, actions }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const [isAtEnd, setAtEnd] = useState(true)
  const virtualizer = useVirtualizer({
    count: messages.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimatedHeight,
    getItemKey: (index) => messages[index]?.id ?? index,
    overscan: 4,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: endThresholdPixels,
  })
  const lastIndex = messages.length - 1
  const scrollToEnd = (): void => virtualizer.scrollToIndex(lastIndex, { align: 'end' })
  // Scrolls to the end on the first render and whenever the user has sent a message.
  const lastUserMessageId = messages.findLast(({ role }) => role === 'user')?.id
  useEffect(scrollToEnd, [lastUserMessageId])
  const stableActions = useStableActions(chatIds, actions)
  const summaries = useSummaries(chatIds.chatId, messages[lastIndex]?.id, isBusy)
  const versions = useVersions(chatIds, messages, isBusy)
  return (
    <div className="messages-frame">
      <div
        className="messages"
        ref={scroller}
        role="log"
        aria-label="Messages"
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
          setAtEnd(scrollHeight - scrollTop - clientHeight < endThresholdPixels)
        }
      >
        {messages.length === 0 && <p className="quiet empty">No messages yet.</p>}
        <div className="messages-all" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ key, index, start }) => {
            const message = messages[index]
            const summary = summaries.get(message?.id ?? '')
            return message === undefined ? null : (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className="message-row"
                style={{ transform: `translateY(${start}px)` }}
              >
                <Message
                  message={message}
                  isLive={isBusy && index === lastIndex}
                  isLast={index === lastIndex}
                  isIdle={!isBusy}
                  versions={versions.get(message.id)}
                  actions={stableActions}
                />
                {summary !== undefined && <SummaryNote summary={summary} />}
              </div>
            )
          })}
        </div>
        {isBusy && messages[lastIndex]?.role === 'user' && (
          <p className="quiet thinking" role="status">
            Thinking …
          </p>
        )}
      </div>
      {!isAtEnd && (
        <Button
          className="to-end"
          size="xs"
          variant="default"
          radius="xl"
          leftSection={<IconArrowDown aria-hidden size={14} />}
          onClick={scrollToEnd}
        >
          Jump to latest
        </Button>
      )}
    </div>
  )
}

/** Returns the versions of the messages. Refetches when the last message changes, because a new branch changes it. */
function useVersions({ sessionId, chatId }: ChatIds, messages: UIMessage[], isBusy: boolean) {
  const { data } = useQuery({
    queryKey: ['branches', chatId, messages.at(-1)?.id],
    queryFn: async () => (await api.GET(`${chatRoute}/branches`, { path: { sessionId, chatId } })).branches,
    enabled: !isBusy,
    staleTime: 0,
  })
  return useMemo(() => findVersions(messages, data ?? []), [messages, data])
}

/** Returns actions whose identity is stable, so that a message re-renders only if it changes. */
function useStableActions(chatIds: ChatIds, actions: Props['actions']): ChatActions {
  const latest = useRef(actions)
  latest.current = actions
  const navigate = useNavigate()
  return useMemo(() => {
    const select = async (branchId: string): Promise<void> => {
      const path = { ...chatIds, branchId }
      await refreshAfter(api.POST(`${chatRoute}/branches/{branchId}/select`, { path }), 'branches')
      latest.current.reload()
    }
    const fork = async (messageId: string): Promise<void> => {
      const copying = api.POST(`${chatRoute}/copy`, { path: chatIds, body: { messageId, to: 'chat' } })
      const { session, chat } = await refreshAfter(copying, 'chats')
      await navigate({ to: `/chat/${session?.id ?? chatIds.sessionId}/${chat.id}` })
    }
    return {
      answer: (...args) => latest.current.answer(...args),
      decide: (decision) => latest.current.decide(decision),
      edit: (...args) => latest.current.edit(...args),
      regenerate: (id) => latest.current.regenerate(id),
      select: (branchId) => void select(branchId).catch(showError),
      fork: (messageId) => void fork(messageId).catch(showError),
    }
  }, [chatIds.sessionId, chatIds.chatId])
}
