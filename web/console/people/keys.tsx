import { Button } from '@mantine/core'
import { useState } from 'react'
import { api } from '../access/api.ts'
import { refresh, refreshAfter } from '../access/queries.ts'
import { Action } from '../parts/buttons/action.tsx'
import { Form, TextField } from '../parts/form.tsx'
import { useOffsetList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Notice, Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { copyText } from '../parts/toasts/toasts.ts'

export function KeysPage() {
  const [newKey, setNewKey] = useState<string>()
  const list = useOffsetList(
    ['keys'],
    (query) => api.GET('/api/keys', { query }),
    ({ keys }) => keys,
  )
  return (
    <Page
      title="Keys"
      lead="Programs use a key to act for your account. The key is shown only once, when it is created."
    >
      <div className="narrow">
        <Form
          submit="Create a key"
          resets
          onSubmit={async (fields) => {
            setNewKey((await api.POST('/api/keys', { body: { key_name: fields.text('name') } })).key)
            await refresh('keys')
          }}
        >
          <TextField name="name" label="Name" required maxLength={100} placeholder="laptop" />
        </Form>
        {newKey !== undefined && <NewKey text={newKey} onHide={() => setNewKey(undefined)} />}
      </div>
      <Rows list={list} empty="No keys yet.">
        {(keys) => (
          <Table
            caption="Keys"
            rows={keys}
            rowKey={({ id }) => id}
            list={list}
            columns={[
              { name: 'Name', value: ({ name }) => name },
              { name: 'Created', value: (key) => new Date(key.created_at) },
              { name: 'Last used', value: (key) => key.last_used && new Date(key.last_used) },
              {
                name: 'Change',
                show: ({ id, name }) => (
                  <Action
                    name="Delete"
                    confirm={`Delete the key “${name}”? Programs that use it lose access within a second.`}
                    onAct={() => refreshAfter(api.DELETE('/api/keys', { body: { id } }), 'keys')}
                  />
                ),
              },
            ]}
          />
        )}
      </Rows>
    </Page>
  )
}

function NewKey({ text, onHide }: { text: string; onHide: () => void }) {
  return (
    <Notice>
      <p>Copy the key now. It is not shown again.</p>
      <p className="buttons secret">
        <code>{text}</code>
        <Action name="Copy" onAct={() => copyText(text)} />
        <Button size="xs" variant="default" onClick={onHide}>
          Hide
        </Button>
      </p>
    </Notice>
  )
}
