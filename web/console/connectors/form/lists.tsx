import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { CheckField } from '../../parts/check-field.tsx'
import { toRecord } from '../../access/json.ts'
import { createDrafts, type Draft, type Drafts } from './drafts.ts'
import { FieldGroup } from './field-group.tsx'
import type { Field } from './fields.ts'

type ChoicesProps = {
  field: Extract<Field, { kind: 'choices' }>
  error: string | undefined
  selected: readonly unknown[]
  onChange: (selected: readonly unknown[]) => void
}

/** Checkboxes for a field that accepts several options. */
export function Choices({ field, error, selected, onChange }: ChoicesProps) {
  return (
    <FieldGroup field={field} error={error}>
      {field.options.map((option, index) => (
        <CheckField
          key={index}
          label={formatOption(option)}
          checked={selected.includes(option)}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.checked ? [...selected, option] : selected.filter((other) => other !== option))
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
  /** Renders the fields of one object. */
  children: (index: number, drafts: Drafts, onChange: (drafts: Drafts) => void) => ReactNode
}

/** List of objects, each with the same fields. */
export function Groups({ field, error, draft, onChange, children }: GroupsProps) {
  const groups: readonly unknown[] = Array.isArray(draft) ? draft : []
  return (
    <FieldGroup field={field} error={error}>
      {groups.map((group, index) => (
        <fieldset key={index}>
          <legend>
            {field.label} {index + 1}
          </legend>
          {children(index, toRecord(group) as Drafts, (drafts) => onChange(groups.with(index, drafts)))}
          <Button size="xs" variant="default" onClick={() => onChange(groups.toSpliced(index, 1))}>
            Remove
          </Button>
        </fieldset>
      ))}
      <Button size="xs" variant="default" onClick={() => onChange([...groups, createDrafts(field.fields)])}>
        Add
      </Button>
    </FieldGroup>
  )
}

export function formatOption(option: unknown): string {
  if (typeof option === 'boolean') return option ? 'Yes' : 'No'
  return typeof option === 'string' ? option : JSON.stringify(option)
}
