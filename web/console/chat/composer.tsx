import { Button, Textarea } from '@mantine/core'
import IconArrowUp from '@tabler/icons-react/icons/IconArrowUp'
import IconPlayerStop from '@tabler/icons-react/icons/IconPlayerStop'
import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react'

type Props = {
  /** Sends the text. If it rejects, the text is put back into the field. */
  onSend: (text: string) => void | Promise<void>
  isBusy: boolean
  /** Stops the running turn; undefined when no turn runs. */
  onStop?: (() => void) | undefined
  draft?: string
  /** Called on every change, so that the owner can keep the draft when this component is removed. */
  onDraft?: (text: string) => void
}

export function Composer({ onSend, isBusy, onStop, draft = '', onDraft }: Props) {
  const [text, setFieldText] = useState(draft)
  const input = useRef<HTMLTextAreaElement>(null)
  const latest = useRef(draft)
  const setText = (next: string): void => {
    latest.current = next
    onDraft?.(next)
    setFieldText(next)
  }
  const send = (event?: FormEvent): void => {
    event?.preventDefault()
    const message = text.trim()
    if (message === '' || isBusy) return
    setText('')
    Promise.resolve(onSend(message)).catch(() => setText([message, latest.current].filter(Boolean).join('\n')))
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) send(event)
  }
  return (
    <form className="composer" onSubmit={send}>
      <Textarea
        ref={input}
        aria-label="Message"
        variant="unstyled"
        value={text}
        rows={Math.min(8, Math.max(2, text.split('\n').length))}
        placeholder="Describe the task. Press Enter to send, Shift+Enter for a new line."
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="buttons">
        {onStop === undefined ? (
          <Button
            type="submit"
            size="sm"
            rightSection={<IconArrowUp aria-hidden size={16} />}
            disabled={isBusy || text.trim() === ''}
          >
            Send
          </Button>
        ) : (
          <Button variant="default" size="sm" leftSection={<IconPlayerStop aria-hidden size={16} />} onClick={onStop}>
            Stop
          </Button>
        )}
      </div>
    </form>
  )
}
