import { Button, Text, Textarea } from '@mantine/core'
import IconPaperclip from '@tabler/icons-react/icons/IconPaperclip'
import IconArrowUp from '@tabler/icons-react/icons/IconArrowUp'
import IconPlayerStop from '@tabler/icons-react/icons/IconPlayerStop'
import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { IconButton } from '../parts/buttons/icon-button.tsx'
import type { Attachment } from './attachments/attachment.ts'
import { Previews } from './attachments/previews.tsx'
import { useAttachments } from './attachments/use-attachments.ts'

/** How to handle a message that the user sends during an answer. */
export type BusyMode = 'queue' | 'steer' | 'interrupt'

type Props = {
  onSend: (text: string, mode: BusyMode, files: readonly Attachment[]) => void
  /** True while no message can be sent. */
  isBusy?: boolean
  /** Stops the running turn; undefined if no turn is running. */
  onStop?: (() => void) | undefined
  draft: string
  files?: readonly Attachment[]
  /** Called on every change, so that the parent can save the draft. */
  onDraft: (text: string) => void
}

const modes: [mode: BusyMode, label: string, title: string][] = [
  ['interrupt', 'Interrupt', 'Stop the answer and send this message next'],
  ['steer', 'Steer', 'Add this message to the running answer before its next step'],
  ['queue', 'Queue', 'Send this message when the answer is complete (Enter)'],
]

export function Composer({ onSend, isBusy = false, onStop, draft, files = [], onDraft }: Props) {
  const [text, setFieldText] = useState(draft)
  const attachments = useAttachments(files)
  const input = useRef<HTMLTextAreaElement>(null)
  useEffect(() => input.current?.focus({ preventScroll: true }), [])
  const setText = (next: string): void => {
    onDraft(next)
    setFieldText(next)
  }
  const isEmpty = text.trim() === ''
  const send = (mode: BusyMode): void => {
    if (isEmpty || isBusy) return
    setText('')
    onSend(text.trim(), mode, attachments.files)
    attachments.clear()
    input.current?.focus()
  }
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    send('queue')
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send('queue')
  }
  return (
    <form
      className="composer"
      onSubmit={onSubmit}
      onDragOver={(event) => event.preventDefault()}
      onDrop={attachments.onDrop}
    >
      <Previews files={attachments.files} onRemove={attachments.remove} />
      <Textarea
        ref={input}
        aria-label="Message"
        variant="unstyled"
        value={text}
        rows={Math.min(8, Math.max(2, text.split('\n').length))}
        placeholder="Describe the task"
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKeyDown}
        onPaste={attachments.onPaste}
      />
      <div className="buttons">
        <AttachButton onAttach={attachments.attach} />
        <Text size="xs" c="dimmed" className="keys">
          Enter to send, Shift+Enter for a new line
        </Text>
        {onStop !== undefined && (
          <Button variant="default" size="xs" leftSection={<IconPlayerStop aria-hidden size={14} />} onClick={onStop}>
            Stop
          </Button>
        )}
        {onStop === undefined ? (
          <Button
            type="submit"
            size="xs"
            rightSection={<IconArrowUp aria-hidden size={14} />}
            disabled={isBusy || isEmpty}
          >
            Send
          </Button>
        ) : (
          !isEmpty &&
          modes.map(([mode, label, title]) => (
            <Button
              key={mode}
              size="xs"
              variant={mode === 'queue' ? 'filled' : 'default'}
              title={title}
              onClick={() => send(mode)}
            >
              {label}
            </Button>
          ))
        )}
      </div>
    </form>
  )
}

function AttachButton({ onAttach }: { onAttach: (files: readonly File[]) => void }) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={field}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={({ target }) => {
          onAttach([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <IconButton size="md" label="Attach files" Icon={IconPaperclip} onClick={() => field.current?.click()} />
    </>
  )
}
