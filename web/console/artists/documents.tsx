import { forAccount } from '../access/acting.ts'
import { api, type Schemas } from '../access/api.ts'
import { refreshAfter } from '../access/queries.ts'
import { Action } from '../parts/buttons/action.tsx'
import { Form, TextField } from '../parts/form.tsx'
import { SafeLink } from '../parts/markdown.tsx'
import { Fold } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'

type Artist = Schemas['Artist']

/** Documents that agents can read. Every change replaces the entire list. */
export function Documents({ artist: { account_id: id, knowledges: documents } }: { artist: Artist }) {
  const save = (list: Artist['knowledges']): Promise<unknown> => {
    const knowledges = list.flatMap(({ url, ...rest }) => (url === null ? [] : [{ ...rest, url }]))
    const body = { knowledges, ...forAccount() }
    return refreshAfter(api.PATCH('/api/artists/{id}', { path: { id }, body }), 'artists')
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
                  name="Remove"
                  confirm={`Remove “${document.name}”?`}
                  onAct={() => save(documents.filter((other) => other !== document))}
                />
              ),
            },
          ]}
        />
      )}
      <Fold title="Add a document">
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
      </Fold>
    </>
  )
}
