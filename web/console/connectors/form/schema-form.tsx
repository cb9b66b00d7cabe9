import { useEffect, useRef, useState, type ReactNode } from 'react'
import { ApiClientError } from '../../access/failure.ts'
import { Form } from '../../parts/form.tsx'
import type { Json } from '../json.ts'
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
  /** Content beside the submit button. */
  more: ReactNode
}

/** Form with the fields of an action. An error of a field is shown at the field, without its name. */
export function SchemaForm({ actionSlug, fields, drafts, onChange, onExecute, isConnected, more }: Props) {
  const [invalid, setInvalid] = useState<InvalidField>()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [invalid])
  const execute = async (): Promise<void> => {
    setInvalid(undefined)
    try {
      await onExecute(toValues(fields, drafts))
    } catch (error) {
      const found = readInvalidField(error)
      const path = found && findField(fields, found.path)
      if (found === undefined || path === undefined) throw error
      setInvalid({ ...found, path })
    }
  }
  return (
    <div ref={place}>
      <Form submit="Execute" onSubmit={execute} more={more}>
        {fields.length === 0 && <p className="quiet">This action takes no parameters.</p>}
        <fieldset className="bare" disabled={!isConnected}>
          <FieldList fields={fields} drafts={drafts} onChange={onChange} context={{ actionSlug, invalid }} />
        </fieldset>
      </Form>
    </div>
  )
}

/** The path and the rule in an error of the API, such as `parameters.title is required`. */
function readInvalidField(error: unknown): InvalidField | undefined {
  if (error instanceof FieldError) return { path: error.path, message: `This ${error.rule}.` }
  if (!(error instanceof ApiClientError) || error.status !== 400) return undefined
  const [, path, rule] = /^parameters\.(\S+) (.+)$/.exec(error.message) ?? []
  return path === undefined || rule === undefined ? undefined : { path, message: `This ${rule}.` }
}

/** Path of the field that holds what is at `path`; undefined if no field does. */
function findField(fields: readonly Field[], path: string, parent = ''): string | undefined {
  const [name = '', ...rest] = path.split('.')
  const field = fields.find((one) => one.name === name)
  const own = joinPath(parent, name)
  if (field?.kind === 'group' && rest.length > 0) return findField(field.fields, rest.join('.'), own)
  const [at, ...inner] = rest
  if (field?.kind === 'groups' && inner.length > 0)
    return findField(field.fields, inner.join('.'), joinPath(own, at ?? ''))
  return field && own
}
