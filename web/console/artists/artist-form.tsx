import { forAccount } from '../access/acting.ts'
import { api, type Schemas } from '../access/api.ts'
import { refreshAfter } from '../access/queries.ts'
import { Form, TextArea, TextField } from '../parts/form.tsx'

export function ArtistForm({ artist }: { artist: Schemas['Artist'] }) {
  return (
    <div className="narrow">
      <Form
        submit="Save"
        onSubmit={(fields) => {
          const body = {
            ...forAccount(),
            name: fields.text('name'),
            label: fields.text('label'),
            instruction: fields.text('instruction'),
          }
          return refreshAfter(api.PATCH('/api/artists/{id}', { path: { id: artist.account_id }, body }), 'artists')
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
