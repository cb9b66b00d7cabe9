import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { Output } from '../parts/output.tsx'
import { showError } from '../parts/toasts/toasts.ts'
import type { Data } from '../access/calls.ts'
import { useExecution } from './execution.ts'
import { createDrafts, toDrafts, toValues, type Drafts } from './form/drafts.ts'
import { toFields, type Field } from './form/fields.ts'
import { SchemaForm } from './form/schema-form.tsx'
import { isSameJson } from './json.ts'
import { JsonForm } from './json-form.tsx'
import { buildExample, parseParameters } from './parameters.ts'

type ConnectorAction = Data<'get', '/api/connectors/actions'>['actions'][number]

type Props = { action: ConnectorAction; isConnected: boolean }

/** Form that executes an action. The parameters are edited in fields derived from the schema, or as JSON, which allows any. */
export function ActionForm({ action, isConnected }: Props) {
  const { actionSlug, description, parameters: schema } = action
  const fields = useMemo(() => toFields(schema), [schema])
  const [drafts, setDrafts] = useState<Drafts | undefined>(() => fields && createDrafts(fields))
  const [text, setText] = useState(() => buildExample(schema))
  const { result, execute } = useExecution(actionSlug)
  const isForm = fields !== undefined && drafts !== undefined
  const editAsJson = (): void => {
    if (!isForm) return
    runOrShowError(() => {
      setText(JSON.stringify(toValues(fields, drafts), null, 2))
      setDrafts(undefined)
    })
  }
  const editInForm = (formFields: readonly Field[]): void =>
    runOrShowError(() => setDrafts(readDrafts(formFields, text)))
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
          extraButtons={fields.length > 0 && <ModeButton onClick={editAsJson}>Edit as JSON</ModeButton>}
        />
      ) : (
        <JsonForm
          action={action}
          text={text}
          onChange={setText}
          onExecute={execute}
          isConnected={isConnected}
          extraButtons={fields && <ModeButton onClick={() => editInForm(fields)}>Use the form</ModeButton>}
        />
      )}
      {result !== undefined && (
        <div role="status">
          <p className="quiet">Result:</p>
          <Output text={result} />
        </div>
      )}
    </>
  )
}

function ModeButton({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <Button variant="subtle" onClick={onClick}>
      {children}
    </Button>
  )
}

/** Parses JSON into drafts of the fields. Throws if the fields cannot represent all parameters. */
function readDrafts(fields: readonly Field[], text: string): Drafts {
  const parameters = parseParameters(text)
  const drafts = toDrafts(fields, parameters)
  if (!isSameJson(toValues(fields, drafts), parameters))
    throw new Error('The form cannot represent all of these parameters. Execute them as JSON.')
  return drafts
}

function runOrShowError(change: () => void): void {
  try {
    change()
  } catch (error) {
    showError(error)
  }
}
