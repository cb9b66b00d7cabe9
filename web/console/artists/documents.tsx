import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Action } from '../parts/action.tsx'
import { Form, TextField } from '../parts/form.tsx'
import { SafeLink } from '../parts/markdown.tsx'
import { Table } from '../parts/table.tsx'

type Document = { name: string; url: string | null; type: string }
type Artist = { account_id: string; knowledges: Document[] }

/** Named documents that agents can look at. They are stored as one list. */
export function Documents({ artist, onChange }: { artist: Artist; onChange: () => Promise<void> }) {
  const { account_id: id, knowledges: documents } = artist
  const store = async (kept: readonly Document[]): Promise<void> => {
    const knowledges = kept.flatMap(({ url, ...rest }) => (url === null ? [] : [{ ...rest, url }]))
    await read(api.PATCH('/api/artists/{id}', { params: { path: { id } }, body: { knowledges, ...forAccount() } }))
    await onChange()
  }
  return (
    <>
      <h3>Documents</h3>
      {documents.length === 0 ? (
        <p className="empty">No document yet: a biography, a press kit, a release plan.</p>
      ) : (
        <Table
          caption="Documents"
          rows={documents}
          rowKey={({ name, url }) => `${name} ${url}`}
          columns={[
            {
              name: 'Name',
              show: ({ name, url }) => (url === null ? name : <SafeLink href={url}>{name}</SafeLink>),
            },
            { name: 'Type', show: ({ type }) => type || '–' },
            {
              name: 'Change',
              show: (one) => (
                <Action
                  confirm={`Take “${one.name}” off the list?`}
                  onAct={() => store(documents.filter((other) => other !== one))}
                >
                  Remove
                </Action>
              ),
            },
          ]}
        />
      )}
      <details className="fold">
        <summary>Add a document</summary>
        <Form
          submit="Add"
          resets
          onSubmit={(fields) =>
            store([...documents, { name: fields.text('name'), url: fields.text('url'), type: fields.text('type') }])
          }
        >
          <TextField name="name" label="Name" required maxLength={200} />
          <TextField name="url" label="Address" type="url" required placeholder="https://example.com/press-kit.pdf" />
          <TextField name="type" label="Type" maxLength={100} placeholder="application/pdf" />
        </Form>
      </details>
    </>
  )
}
