import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react'

type Props = {
  /** Rejects when the text was not taken: then it comes back. */
  onSend: (text: string) => void | Promise<void>
  isBusy: boolean
  /** Given while a turn runs. */
  onStop?: (() => void) | undefined
  draft?: string
  /** Called on every change; the owner outlives this component. */
  onDraft?: (text: string) => void
}

export function Composer({ onSend, isBusy, onStop, draft = '', onDraft }: Props) {
  const [text, setShown] = useState(draft)
  const input = useRef<HTMLTextAreaElement>(null)
  const latest = useRef(draft)
  const setText = (next: string): void => {
    latest.current = next
    onDraft?.(next)
    setShown(next)
  }
  const send = (event?: FormEvent): void => {
    event?.preventDefault()
    const said = text.trim()
    if (said === '' || isBusy) return
    setText('')
    Promise.resolve(onSend(said)).catch(() => setText([said, latest.current].filter(Boolean).join('\n')))
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) send(event)
  }
  return (
    <form className="composer" onSubmit={send}>
      <label>
        <span className="hidden">Message</span>
        <textarea
          ref={input}
          value={text}
          rows={Math.min(8, Math.max(2, text.split('\n').length))}
          placeholder="Say what is to be done. Enter sends, Shift and Enter begin a line."
          onChange={({ target }) => setText(target.value)}
          onKeyDown={onKeyDown}
        />
      </label>
      {onStop === undefined ? (
        <button disabled={isBusy || text.trim() === ''}>Send</button>
      ) : (
        <button type="button" className="plain" onClick={onStop}>
          Stop
        </button>
      )}
    </form>
  )
}
