import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { Form, SelectField, TextField } from '../parts/form.tsx'

type FileDescriptor = { name: string; mimetype: string; key: string }

type Props = {
  actionSlug: string
  /** Names of the parameters that accept an image. */
  fields: readonly string[]
  onStage: (field: string, descriptor: FileDescriptor) => void
}

/** Form that stages an image from a URL and inserts its descriptor into the parameters. */
export function StageImage({ actionSlug, fields, onStage }: Props) {
  if (fields.length === 0) return null
  return (
    <Form
      className="filters"
      submit="Insert"
      resets
      onSubmit={async (form) => {
        onStage(form.text('field'), await stageImage(actionSlug, form.text('url')))
      }}
    >
      <TextField name="url" label="Image URL" type="url" required placeholder="https://example.com/a.png" />
      <SelectField name="field" label="Parameter" data={[...fields]} />
    </Form>
  )
}

/** Stages the image of a URL for an action. Returns the descriptor that the action accepts as a parameter. */
export async function stageImage(actionSlug: string, url: string): Promise<FileDescriptor> {
  const body = { url, actionSlug, ...forAccount() }
  const { name, mimetype, key } = await api.POST('/api/connectors/files', { body })
  return { name, mimetype, key }
}
