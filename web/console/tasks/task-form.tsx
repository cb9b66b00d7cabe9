import { useIsEmbeddedModel } from '../chat/begin/examples.ts'
import { Form, TextArea, TextField, type Fields } from '../parts/form.tsx'
import { ArtistChoice } from './artist-choice.tsx'
import { CronField } from './cron-field.tsx'

type TaskItem = {
  title: string
  prompt: string
  schedule: string
  timezone: string | null
  artist_account_id: string
  model: string | null
}

export type TaskInput = Omit<TaskItem, 'timezone' | 'model'> & { timezone: string; model?: string }

type Props = { submit: string; task?: TaskItem; onSubmit: (input: TaskInput) => Promise<unknown> }

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
      <ArtistChoice name="artist" {...(task && { selectedId: task.artist_account_id })} />
      <CronField
        {...(task && { schedule: task.schedule, ...(task.timezone !== null && { timezone: task.timezone }) })}
      />
      <TextField name="model" label="Model" placeholder="Default model" defaultValue={task?.model ?? ''} />
    </Form>
  )
}

function toInput(fields: Fields): TaskInput {
  const model = fields.optional('model')
  return {
    title: fields.text('title'),
    prompt: fields.text('prompt'),
    artist_account_id: fields.text('artist'),
    schedule: fields.text('schedule'),
    timezone: fields.text('timezone'),
    ...(model !== undefined && { model }),
  }
}
