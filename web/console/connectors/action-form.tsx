import { useRef, useState } from 'react'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { ApiClientError, read } from '../access/failure.ts'
import { Form, TextArea } from '../parts/form.tsx'
import { Table } from '../parts/table.tsx'
import { buildExample, listParameters, parseParameters, type Parameter } from './parameters.ts'
import { StagePicture } from './stage-picture.tsx'

type ConnectorAction = {
  actionSlug: string
  name: string
  description: string
  parameters: Record<string, unknown>
}

/** Form that executes an action with parameters entered as JSON. */
export function ActionForm({ action, isConnected }: { action: ConnectorAction; isConnected: boolean }) {
  const { actionSlug, description, parameters: schema } = action
  const [text, setText] = useState(() => buildExample(schema))
  const [result, setResult] = useState<string>()
  const named = listParameters(schema)
  const ensureKey = useRequestKey()
  return (
    <>
      <p>{description}</p>
      {named.length > 0 && (
        <Table
          caption={`Parameters: ${action.name}`}
          rows={named}
          rowKey={({ name }) => name}
          columns={[
            { name: 'Parameter', show: ({ name }) => <code>{name}</code> },
            { name: 'Required', show: ({ isRequired }) => (isRequired ? 'yes' : 'no') },
            { name: 'Type', show: ({ type }) => type },
            ...(named.some(({ description: about }) => about !== '')
              ? [{ name: 'Description', show: ({ description: about }: Parameter) => about }]
              : []),
          ]}
        />
      )}
      <StagePicture
        actionSlug={actionSlug}
        fields={named.flatMap(({ name, takesFile }) => (takesFile ? [name] : []))}
        onStage={(field, descriptor) =>
          setText(JSON.stringify({ ...parseParameters(text), [field]: descriptor }, null, 2))
        }
      />
      <Form
        submit="Execute"
        onSubmit={async () => {
          const body = { actionSlug, parameters: parseParameters(text), ...forAccount() }
          setResult(undefined)
          const header = { 'Idempotency-Key': ensureKey(JSON.stringify(body)) }
          try {
            const answer = await read(api.POST('/api/connectors/actions', { body, params: { header } }))
            setResult(JSON.stringify(answer.result, null, 2))
            ensureKey.renew()
          } catch (error) {
            // After a server or network error the action may have been executed, so a repeated request keeps its key.
            if (error instanceof ApiClientError && error.status < 500) ensureKey.renew()
            throw error
          }
        }}
      >
        <TextArea
          label="Parameters as JSON"
          className="code"
          rows={Math.min(16, Math.max(4, text.split('\n').length + 1))}
          value={text}
          onChange={({ target }) => setText(target.value)}
          spellCheck={false}
          disabled={!isConnected}
        />
      </Form>
      {result !== undefined && (
        <div role="status">
          <p className="quiet">Result:</p>
          <pre className="output" tabIndex={0}>
            {result}
          </pre>
        </div>
      )}
    </>
  )
}

/** Gives a request the same idempotency key until its outcome is known. */
function useRequestKey() {
  const last = useRef<{ request: string; key: string }>(undefined)
  const ensureKey = (request: string): string => {
    if (last.current?.request !== request) last.current = { request, key: crypto.randomUUID() }
    return last.current.key
  }
  return Object.assign(ensureKey, {
    renew: () => {
      last.current = undefined
    },
  })
}
