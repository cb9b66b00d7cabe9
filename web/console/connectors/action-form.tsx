import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { explain } from '../access/failure.ts'
import { showError } from '../parts/toasts/toasts.ts'
import { useExecution } from './execution.ts'
import { createDrafts, toDrafts, toValues, type Drafts } from './form/drafts.ts'
import { toFields, type Field } from './form/fields.ts'
import { SchemaForm } from './form/schema-form.tsx'
import { isSameJson } from './json.ts'
import { JsonForm } from './json-form.tsx'
import { buildExample, parseParameters } from './parameters.ts'

type ConnectorAction = {
  actionSlug: string
  name: string
  description: string
  parameters: Record<string, unknown>
}

type Props = { action: ConnectorAction; isConnected: boolean }

/** Executes an action with the fields of its schema, or with JSON, which can say what the fields cannot. */
export function ActionForm({ action, isConnected }: Props) {
  const { actionSlug, description, parameters: schema } = action
  const fields = useMemo(() => toFields(schema), [schema])
  const [drafts, setDrafts] = useState<Drafts | undefined>(() => fields && createDrafts(fields))
  const [text, setText] = useState(() => buildExample(schema))
  const { result, execute } = useExecution(actionSlug)
  const isForm = fields !== undefined && drafts !== undefined
  const toJson = (): void => {
    if (!isForm) return
    act(() => {
      setText(JSON.stringify(toValues(fields, drafts), null, 2))
      setDrafts(undefined)
    })
  }
  return (
    <>
      <p>{description}</p>
      {isForm ? (
        <SchemaForm
          actionSlug={actionSlug}
          fields={fields}
          drafts={drafts}
          onChange={setDrafts}
          onExecute={execute}
          isConnected={isConnected}
          more={fields.length > 0 && <Change onClick={toJson}>Edit as JSON</Change>}
        />
      ) : (
        <JsonForm
          action={action}
          text={text}
          onChange={setText}
          onExecute={execute}
          isConnected={isConnected}
          more={fields && <Change onClick={() => act(() => setDrafts(readDrafts(fields, text)))}>Use the form</Change>}
        />
      )}
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

function Change({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <Button variant="subtle" onClick={onClick}>
      {children}
    </Button>
  )
}

/** Drafts of the fields from JSON. Throws if the fields cannot hold all of it. */
function readDrafts(fields: readonly Field[], text: string): Drafts {
  const parameters = parseParameters(text)
  const drafts = toDrafts(fields, parameters)
  if (!isSameJson(toValues(fields, drafts), parameters))
    throw new Error('The form cannot hold all of these parameters. Execute them as JSON.')
  return drafts
}

function act(change: () => void): void {
  try {
    change()
  } catch (error) {
    showError(explain(error))
  }
}
