import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react'

type Props = {
  onSend: (text: string) => void | Promise<void>
  isBusy: boolean
  /** Given while a turn runs. */
  onStop?: (() => void) | undefined
  draft?: string
}

export function Composer({ onSend, isBusy, onStop, draft = '' }: Props) {
  const [text, setText] = useState(draft)
  const input = useRef<HTMLTextAreaElement>(null)
  const send = (event?: FormEvent): void => {
    event?.preventDefault()
    const said = text.trim()
    if (said === '' || isBusy) return
    setText('')
    void onSend(said)
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
