import { Button } from '@mantine/core'
import IconArrowDown from '@tabler/icons-react/icons/IconArrowDown'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { UIMessage } from 'ai'
import { useEffect, useMemo, useRef, useState } from 'react'
import { api } from '../../access/api.ts'
import { explain, read } from '../../access/failure.ts'
import { showFault } from '../../parts/toasts/toasts.ts'
import type { ChatPlace } from '../live/turn-request.ts'
import { Message, type ChatActions } from './message.tsx'
import { SummaryNote, useSummaries } from './summaries.tsx'
import { findVersions } from './versions.ts'

type Props = {
  place: ChatPlace
  messages: UIMessage[]
  isBusy: boolean
  actions: Omit<ChatActions, 'select' | 'fork'> & { reload: () => void }
}

const estimatedHeight = 140
const atEndPixels = 80

/** Renders only the visible messages. Follows the end of the list while the end is visible. */
export function MessageList({ place, messages, isBusy, actions }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const [isAtEnd, setAtEnd] = useState(true)
  const virtual = useVirtualizer({
    count: messages.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimatedHeight,
    getItemKey: (index) => messages[index]?.id ?? index,
    overscan: 4,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: atEndPixels,
  })
  const last = messages.length - 1
  const toEnd = (): void => virtual.scrollToIndex(last, { align: 'end' })
  // At first, and when the user has sent a message, which must be visible wherever the user was reading.
  const ownId = messages.findLast(({ role }) => role === 'user')?.id
  useEffect(toEnd, [ownId])
  const stable = useStableActions(place, actions)
  const summaries = useSummaries(place.chatId, messages[last]?.id, isBusy)
  const versions = useVersions(place, messages, isBusy)
  return (
    <div className="messages-frame">
      <div
        className="messages"
        ref={scroller}
        role="log"
        aria-label="Messages"
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
          setAtEnd(scrollHeight - scrollTop - clientHeight < atEndPixels)
        }
      >
        {messages.length === 0 && <p className="quiet empty">No messages yet.</p>}
        <div className="messages-all" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ key, index, start }) => {
            const message = messages[index]
            const summary = summaries.get(message?.id ?? '')
            return message === undefined ? null : (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className="message-place"
                style={{ transform: `translateY(${start}px)` }}
              >
                <Message
                  message={message}
                  isLive={isBusy && index === last}
                  isLast={index === last}
                  isIdle={!isBusy}
                  versions={versions.get(message.id)}
                  actions={stable}
                />
                {summary !== undefined && <SummaryNote summary={summary} />}
              </div>
            )
          })}
        </div>
        {isBusy && messages[last]?.role === 'user' && (
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
          onClick={toEnd}
        >
          Jump to latest
        </Button>
      )}
    </div>
  )
}

/** Versions of the messages. A new branch always brings a new last message. */
function useVersions({ sessionId, chatId }: ChatPlace, messages: UIMessage[], isBusy: boolean) {
  const { data } = useQuery({
    queryKey: ['branches', chatId, messages.at(-1)?.id],
    queryFn: async () =>
      (
        await read(
          api.GET('/api/sessions/{sessionId}/chats/{chatId}/branches', { params: { path: { sessionId, chatId } } }),
        )
      ).branches,
    enabled: !isBusy,
    staleTime: 0,
  })
  return useMemo(() => findVersions(messages, data ?? []), [messages, data])
}

/** Actions that stay the same object, so that a message is drawn again only if it changes. */
function useStableActions(place: ChatPlace, actions: Props['actions']): ChatActions {
  const latest = useRef(actions)
  latest.current = actions
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMemo(() => {
    const attempt = (work: () => Promise<unknown>): void =>
      void work().catch((error: unknown) => showFault(explain(error)))
    return {
      answer: (...given) => latest.current.answer(...given),
      decide: (decision) => latest.current.decide(decision),
      edit: (...given) => latest.current.edit(...given),
      regenerate: (id) => latest.current.regenerate(id),
      select: (branchId) =>
        attempt(async () => {
          const path = { ...place, branchId }
          await read(
            api.POST('/api/sessions/{sessionId}/chats/{chatId}/branches/{branchId}/select', { params: { path } }),
          )
          await queries.invalidateQueries({ queryKey: ['branches', place.chatId] })
          latest.current.reload()
        }),
      fork: (messageId) =>
        attempt(async () => {
          const { session, chat } = await read(
            api.POST('/api/sessions/{sessionId}/chats/{chatId}/copy', {
              params: { path: place },
              body: { messageId, to: 'chat' },
            }),
          )
          await queries.invalidateQueries({ queryKey: ['chats', place.sessionId] })
          await navigate({
            to: '/chat/$sessionId/$chatId',
            params: { sessionId: session?.id ?? place.sessionId, chatId: chat.id },
          })
        }),
    }
  }, [place.sessionId, place.chatId])
}
