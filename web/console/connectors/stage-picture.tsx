import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Form, SelectField, TextField } from '../parts/form.tsx'

type Descriptor = { name: string; mimetype: string; key: string }

type Props = {
  actionSlug: string
  /** Parameters that take a picture. */
  fields: readonly string[]
  onStage: (field: string, descriptor: Descriptor) => void
}

/** Stages the picture at an address, and puts it into the parameters. */
export function StagePicture({ actionSlug, fields, onStage }: Props) {
  if (fields.length === 0) return null
  return (
    <Form
      className="filters"
      submit="Put it in"
      resets
      onSubmit={async (form) => {
        const body = { url: form.text('url'), actionSlug, ...forAccount() }
        const { name, mimetype, key } = await read(api.POST('/api/connectors/files', { body }))
        onStage(form.text('field'), { name, mimetype, key })
      }}
    >
      <TextField name="url" label="Address of a picture" type="url" required placeholder="https://example.com/a.png" />
      <SelectField name="field" label="For">
        {fields.map((field) => (
          <option key={field}>{field}</option>
        ))}
      </SelectField>
    </Form>
  )
}
