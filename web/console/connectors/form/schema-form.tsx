import { useEffect, useRef, useState, type ReactNode } from 'react'
import { ApiClientError } from '../../access/failure.ts'
import { Form } from '../../parts/form.tsx'
import type { Json } from '../../access/json.ts'
import { FieldError, toValues, type Drafts } from './drafts.ts'
import { FieldList, type InvalidField } from './field.tsx'
import { joinPath, type Field } from './fields.ts'

type Props = {
  actionSlug: string
  fields: readonly Field[]
  drafts: Drafts
  onChange: (drafts: Drafts) => void
  onExecute: (parameters: Json) => Promise<unknown>
  isConnected: boolean
  /** Buttons beside the submit button. */
  extraButtons: ReactNode
}

/** Form with the fields of an action. Shows a validation error next to its field, without the name of the field. */
export function SchemaForm({ actionSlug, fields, drafts, onChange, onExecute, isConnected, extraButtons }: Props) {
  const [invalidField, setInvalidField] = useState<InvalidField>()
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => container.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [invalidField])
  const execute = async (): Promise<void> => {
    setInvalidField(undefined)
    try {
      await onExecute(toValues(fields, drafts))
    } catch (error) {
      const rejected = readInvalidField(error)
      const path = rejected && findFieldPath(fields, rejected.path)
      if (rejected === undefined || path === undefined) throw error
      setInvalidField({ ...rejected, path })
    }
  }
  return (
    <div ref={container}>
      <Form submit="Execute" onSubmit={execute} extraButtons={extraButtons}>
        {fields.length === 0 && <p className="quiet">This action takes no parameters.</p>}
        <fieldset className="bare" disabled={!isConnected}>
          <FieldList fields={fields} drafts={drafts} onChange={onChange} context={{ actionSlug, invalidField }} />
        </fieldset>
      </Form>
    </div>
  )
}

/** Parses the path and the rule from an API error, such as `parameters.title is required`. */
function readInvalidField(error: unknown): InvalidField | undefined {
  if (error instanceof FieldError) return { path: error.path, message: `This ${error.rule}.` }
  if (!(error instanceof ApiClientError) || error.status !== 400) return undefined
  const [, path, rule] = /^parameters\.(\S+) (.+)$/.exec(error.message) ?? []
  return path === undefined || rule === undefined ? undefined : { path, message: `This ${rule}.` }
}

/** Returns the path of the field that contains the value at `path`; undefined if no field does. */
function findFieldPath(fields: readonly Field[], path: string, parent = ''): string | undefined {
  const [name = '', ...rest] = path.split('.')
  const field = fields.find((candidate) => candidate.name === name)
  const fieldPath = joinPath(parent, name)
  if (field?.kind === 'group' && rest.length > 0) return findFieldPath(field.fields, rest.join('.'), fieldPath)
  const [index, ...inner] = rest
  if (field?.kind === 'groups' && inner.length > 0)
    return findFieldPath(field.fields, inner.join('.'), joinPath(fieldPath, index ?? ''))
  return field && fieldPath
}
