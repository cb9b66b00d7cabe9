import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { CheckField } from '../../parts/check-field.tsx'
import { toRecord } from '../json.ts'
import { createDrafts, type Draft, type Drafts } from './drafts.ts'
import { FieldGroup } from './field-group.tsx'
import type { Field } from './fields.ts'

type ChoicesProps = {
  field: Extract<Field, { kind: 'choices' }>
  error: string | undefined
  chosen: readonly unknown[]
  onChange: (chosen: readonly unknown[]) => void
}

/** Several of a fixed set of values. */
export function Choices({ field, error, chosen, onChange }: ChoicesProps) {
  return (
    <FieldGroup field={field} error={error}>
      {field.options.map((option, at) => (
        <CheckField
          key={at}
          label={optionInWords(option)}
          checked={chosen.includes(option)}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.checked ? [...chosen, option] : chosen.filter((one) => one !== option))
          }
        />
      ))}
    </FieldGroup>
  )
}

type GroupsProps = {
  field: Extract<Field, { kind: 'groups' }>
  error: string | undefined
  draft: Draft
  onChange: (draft: Draft) => void
  /** Shows the fields of one object. */
  children: (at: number, drafts: Drafts, onChange: (drafts: Drafts) => void) => ReactNode
}

/** List of objects, each with the same fields. */
export function Groups({ field, error, draft, onChange, children }: GroupsProps) {
  const all: readonly unknown[] = Array.isArray(draft) ? draft : []
  return (
    <FieldGroup field={field} error={error}>
      {all.map((one, at) => (
        <fieldset key={at}>
          <legend>
            {field.label} {at + 1}
          </legend>
          {children(at, toRecord(one) as Drafts, (drafts) => onChange(all.with(at, drafts)))}
          <Button size="xs" variant="default" onClick={() => onChange(all.toSpliced(at, 1))}>
            Remove
          </Button>
        </fieldset>
      ))}
      <Button size="xs" variant="default" onClick={() => onChange([...all, createDrafts(field.fields)])}>
        Add
      </Button>
    </FieldGroup>
  )
}

export function optionInWords(option: unknown): string {
  if (typeof option === 'boolean') return option ? 'Yes' : 'No'
  return typeof option === 'string' ? option : JSON.stringify(option)
}
