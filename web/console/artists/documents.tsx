import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Action } from '../parts/action.tsx'
import { Form, TextField } from '../parts/form.tsx'
import { SafeLink } from '../parts/markdown.tsx'
import { Table } from '../parts/table.tsx'

type Document = { name: string; url: string | null; type: string }
type Artist = { account_id: string; knowledges: Document[] }

/** Documents that agents can read. Every change replaces the entire list. */
export function Documents({ artist, onChange }: { artist: Artist; onChange: () => Promise<void> }) {
  const { account_id: id, knowledges: documents } = artist
  const save = async (list: readonly Document[]): Promise<void> => {
    const knowledges = list.flatMap(({ url, ...rest }) => (url === null ? [] : [{ ...rest, url }]))
    await read(api.PATCH('/api/artists/{id}', { params: { path: { id } }, body: { knowledges, ...forAccount() } }))
    await onChange()
  }
  return (
    <>
      <h3>Documents</h3>
      {documents.length === 0 ? (
        <p className="empty">No documents yet. Add, for example, a biography, a press kit or a release plan.</p>
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
              name: 'Actions',
              show: (document) => (
                <Action
                  confirm={`Remove “${document.name}”?`}
                  onAct={() => save(documents.filter((other) => other !== document))}
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
            save([...documents, { name: fields.text('name'), url: fields.text('url'), type: fields.text('type') }])
          }
        >
          <TextField name="name" label="Name" required maxLength={200} />
          <TextField name="url" label="URL" type="url" required placeholder="https://example.com/press-kit.pdf" />
          <TextField name="type" label="Type" maxLength={100} placeholder="application/pdf" />
        </Form>
      </details>
    </>
  )
}
