import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import type { FormEvent } from 'react'
import { useOpenQuestion } from './dialogs.ts'

/** Dialog of the open question. Scrolling is not locked, because the lock writes a style element into the page. */
export function QuestionDialog() {
  const open = useOpenQuestion()
  if (open === undefined) return null
  const { question, verb, text, answer } = open
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const written = new FormData(event.currentTarget).get('text')
    answer(typeof written === 'string' ? written.trim() : '')
  }
  return (
    <Modal
      opened
      onClose={() => answer(undefined)}
      lockScroll={false}
      centered
      title={verb}
      transitionProps={{ duration: 0 }}
    >
      <form onSubmit={send}>
        {text === undefined ? (
          <Text>{question}</Text>
        ) : (
          <TextInput name="text" label={question} defaultValue={text} required data-autofocus />
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
    </Modal>
  )
}
