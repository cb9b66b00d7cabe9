import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Action } from '../parts/action.tsx'
import { Form, TextField } from '../parts/form.tsx'
import { pageSize, useOffsetList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { showSuccess } from '../parts/toasts/toasts.ts'
import { Time } from '../parts/words.tsx'

export function KeysPage() {
  const queries = useQueryClient()
  const [newKey, setNewKey] = useState<string>()
  const list = useOffsetList({
    key: ['keys'],
    fetchPage: async (offset) => {
      const { keys } = await read(api.GET('/api/keys', { params: { query: { limit: pageSize, offset } } }))
      return { rows: keys }
    },
  })
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['keys'] })
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
            const { key } = await read(api.POST('/api/keys', { body: { key_name: fields.text('name') } }))
            setNewKey(key)
            await refresh()
          }}
        >
          <TextField name="name" label="Name" required maxLength={100} placeholder="laptop" />
        </Form>
        {newKey !== undefined && <NewKey text={newKey} onHide={() => setNewKey(undefined)} />}
      </div>
      <Rows list={list} empty={<p>No keys yet.</p>}>
        {(keys) => (
          <Table
            caption="Keys"
            rows={keys}
            rowKey={({ id }) => id}
            list={list}
            columns={[
              { name: 'Name', show: ({ name }) => name, value: ({ name }) => name },
              {
                name: 'Created',
                show: (key) => <Time at={key.created_at} />,
                value: (key) => new Date(key.created_at),
              },
              {
                name: 'Last used',
                show: (key) => <Time at={key.last_used} />,
                value: (key) => (key.last_used === null ? null : new Date(key.last_used)),
              },
              {
                name: 'Change',
                show: ({ id, name }) => (
                  <Action
                    confirm={`Delete the key “${name}”? Programs that use it lose access within a second.`}
                    onAct={async () => {
                      await read(api.DELETE('/api/keys', { body: { id } }))
                      await refresh()
                    }}
                  >
                    Delete
                  </Action>
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
    <div className="notice" role="status">
      <p>Copy the key now. It is not shown again.</p>
      <p className="secret">
        <code>{text}</code>
        <Action
          onAct={async () => {
            await navigator.clipboard.writeText(text)
            showSuccess('Copied.')
          }}
        >
          Copy
        </Action>
        <Button size="xs" variant="default" onClick={onHide}>
          Hide
        </Button>
      </p>
    </div>
  )
}
