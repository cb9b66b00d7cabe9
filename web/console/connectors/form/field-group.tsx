import type { ReactNode } from 'react'
import type { Field } from './fields.ts'

type Props = { field: Pick<Field, 'label' | 'hint'>; error: string | undefined; children: ReactNode }

/** Groups the inputs of one field under its label, hint and error. */
export function FieldGroup({ field: { label, hint }, error, children }: Props) {
  return (
    <fieldset>
      <legend>{label}</legend>
      {hint !== '' && <p className="quiet">{hint}</p>}
      {error !== undefined && <p className="inline-error">{error}</p>}
      {children}
    </fieldset>
  )
}
