import { Button, Group, Text, Textarea, TextInput, type TextareaProps } from '@mantine/core'
import type { FormEvent } from 'react'
import { Dialog } from './dialog.tsx'
import { useOpenQuestion } from './dialogs.ts'

/** Dialog of the open question. */
export function QuestionDialog() {
  const open = useOpenQuestion()
  if (open === undefined) return null
  const { question, verb, text, isLong = false, answer } = open
  const Field = isLong ? LongText : TextInput
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const written = new FormData(event.currentTarget).get('text')
    answer(typeof written === 'string' ? written.trim() : '')
  }
  return (
    <Dialog title={verb} onClose={() => answer(undefined)}>
      <form onSubmit={send}>
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
            {verb}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}

function LongText(props: TextareaProps) {
  return <Textarea rows={8} resize="vertical" {...props} />
}
