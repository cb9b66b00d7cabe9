import { Button, Group, Text, Textarea, TextInput, type TextareaProps } from '@mantine/core'
import type { FormEvent } from 'react'
import { Dialog } from './dialog.tsx'
import { useOpenDialog } from './dialogs.ts'

/** Renders the open dialog, if there is one. */
export function QuestionDialog() {
  const dialog = useOpenDialog()
  if (dialog === undefined) return null
  const { question, confirmLabel, text, isLong = false, answer } = dialog
  const Field = isLong ? MultilineInput : TextInput
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const value = new FormData(event.currentTarget).get('text')
    answer(typeof value === 'string' ? value.trim() : '')
  }
  return (
    <Dialog title={confirmLabel} onClose={() => answer(undefined)}>
      <form onSubmit={submit}>
        {text === undefined ? (
          <Text>{question}</Text>
        ) : (
          <Field name="text" label={question} defaultValue={text} required data-autofocus />
        )}
        <Group justify="flex-end" mt="lg" gap="xs">
          <Button variant="default" onClick={() => answer(undefined)}>
            Cancel
          </Button>
          <Button type="submit" data-autofocus={text === undefined || undefined}>
            {confirmLabel}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}

function MultilineInput(props: TextareaProps) {
  return <Textarea rows={8} resize="vertical" {...props} />
}
