import type { ReactNode } from 'react'
import { Form, TextArea } from '../parts/form.tsx'
import { Table } from '../parts/table.tsx'
import type { Json } from '../access/json.ts'
import { listParameters, parseParameters, type Parameter } from './parameters.ts'
import { StageImage } from './stage-image.tsx'

type Props = {
  action: { actionSlug: string; name: string; parameters: Json }
  text: string
  onChange: (text: string) => void
  onExecute: (parameters: Json) => Promise<unknown>
  isConnected: boolean
  /** Buttons beside the submit button. */
  extraButtons: ReactNode
}

/** Form with the parameters of an action as JSON, below a table that describes them. */
export function JsonForm({ action, text, onChange, onExecute, isConnected, extraButtons }: Props) {
  const parameters = listParameters(action.parameters)
  return (
    <>
      {parameters.length > 0 && (
        <Table
          caption={`Parameters: ${action.name}`}
          rows={parameters}
          rowKey={({ name }) => name}
          columns={[
            { name: 'Parameter', show: ({ name }) => <code>{name}</code> },
            { name: 'Required', show: ({ isRequired }) => (isRequired ? 'yes' : 'no') },
            { name: 'Type', show: ({ type }) => type },
            ...(parameters.some(({ description }) => description !== '')
              ? [{ name: 'Description', show: ({ description }: Parameter) => description }]
              : []),
          ]}
        />
      )}
      <StageImage
        actionSlug={action.actionSlug}
        fields={parameters.flatMap(({ name, acceptsFile }) => (acceptsFile ? [name] : []))}
        onStage={(field, descriptor) =>
          onChange(JSON.stringify({ ...parseParameters(text), [field]: descriptor }, null, 2))
        }
      />
      <Form submit="Execute" onSubmit={() => onExecute(parseParameters(text))} extraButtons={extraButtons}>
        <TextArea
          label="Parameters as JSON"
          className="code"
          rows={Math.min(16, Math.max(4, text.split('\n').length + 1))}
          value={text}
          onChange={({ target }) => onChange(target.value)}
          spellCheck={false}
          disabled={!isConnected}
        />
      </Form>
    </>
  )
}
