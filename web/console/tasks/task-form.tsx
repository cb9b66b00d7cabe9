import type { Schemas } from '../access/api.ts'
import { useIsEmbeddedModel } from '../chat/begin/examples.ts'
import { Form, TextArea, TextField, type Fields } from '../parts/form.tsx'
import { ArtistChoice } from './artist-choice.tsx'
import { CronField } from './cron-field.tsx'

export type TaskInput = ReturnType<typeof toInput>

type Props = { submit: string; task?: Schemas['Task']; onSubmit: (input: TaskInput) => Promise<unknown> }

export function TaskForm({ submit, task, onSubmit }: Props) {
  const isEmbedded = useIsEmbeddedModel()
  return (
    <Form submit={submit} onSubmit={(fields) => onSubmit(toInput(fields))} resets={task === undefined}>
      <TextField name="title" label="Title" required maxLength={200} defaultValue={task?.title} />
      <TextArea
        name="prompt"
        label="Prompt"
        required
        defaultValue={task?.prompt}
        hint={isEmbedded && 'The embedded model repeats your text. A line such as “$ date” makes it run a command.'}
      />
      <ArtistChoice name="artist" selectedId={task?.artist_account_id} />
      <CronField task={task} />
      <TextField name="model" label="Model" placeholder="Default model" defaultValue={task?.model ?? ''} />
    </Form>
  )
}

function toInput(fields: Fields) {
  return {
    title: fields.text('title'),
    prompt: fields.text('prompt'),
    artist_account_id: fields.text('artist'),
    schedule: fields.text('schedule'),
    timezone: fields.text('timezone'),
    model: fields.optional('model'),
  }
}
