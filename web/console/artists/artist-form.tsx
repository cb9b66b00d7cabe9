import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Form, TextArea, TextField } from '../parts/form.tsx'

type Artist = { account_id: string; name: string | null; instruction: string | null; label: string | null }

export function ArtistForm({ artist, onSave }: { artist: Artist; onSave: () => Promise<void> }) {
  return (
    <div className="narrow">
      <Form
        submit="Save"
        onSubmit={async (fields) => {
          const body = {
            ...forAccount(),
            name: fields.text('name'),
            label: fields.text('label'),
            instruction: fields.text('instruction'),
          }
          await read(api.PATCH('/api/artists/{id}', { params: { path: { id: artist.account_id } }, body }))
          await onSave()
        }}
      >
        <TextField name="name" label="Name" required defaultValue={artist.name ?? ''} />
        <TextField name="label" label="Label" defaultValue={artist.label ?? ''} />
        <TextArea
          name="instruction"
          label="Instruction for agents about this artist"
          defaultValue={artist.instruction ?? ''}
          hint="Private to your workspace."
        />
      </Form>
    </div>
  )
}
