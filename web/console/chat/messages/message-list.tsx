import { useVirtualizer } from '@tanstack/react-virtual'
import type { UIMessage } from 'ai'
import { useEffect, useRef } from 'react'
import { Message } from './message.tsx'

type Props = {
  messages: UIMessage[]
  isBusy: boolean
  onAnswer: (toolCallId: string, answers: Record<string, string>) => void
}

const estimatedHeight = 140
const atEndPixels = 80

/** Renders only the visible messages. Follows the end of the list while the end is visible. */
export function MessageList({ messages, isBusy, onAnswer }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
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
  useEffect(() => {
    virtual.scrollToIndex(messages.length - 1, { align: 'end' })
    // Runs only once, when the chat is opened.
  }, [])
  const last = messages.length - 1
  return (
    <div className="messages" ref={scroller} role="log" aria-label="Messages" tabIndex={0}>
      {messages.length === 0 && <p className="quiet empty">No messages yet.</p>}
      <div className="messages-all" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => {
          const message = messages[index]
          return message === undefined ? null : (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className="message-place"
              style={{ transform: `translateY(${start}px)` }}
            >
              <Message message={message} isLive={isBusy && index === last} onAnswer={onAnswer} />
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
  )
}
