import { CheckField } from '../../parts/check-field.tsx'
import { SelectField, TextArea, TextField } from '../../parts/form.tsx'
import { toRecord } from '../../access/json.ts'
import type { Draft, Drafts } from './drafts.ts'
import { joinPath, type Field, type TextFormat } from './fields.ts'
import { FieldGroup } from './field-group.tsx'
import { FileInput } from './file-input.tsx'
import { Choices, Groups, formatOption } from './lists.tsx'

export type InvalidField = { path: string; message: string }
type FormContext = { actionSlug: string; invalidField: InvalidField | undefined }
type Props = {
  field: Field
  path: string
  draft: Draft
  onChange: (draft: Draft) => void
  context: FormContext
}

type ListProps = {
  fields: readonly Field[]
  path?: string
  drafts: Drafts
  onChange: (drafts: Drafts) => void
  context: FormContext
}

/** Inputs for the fields of an object. `onChange` receives the drafts of all fields. */
export function FieldList({ fields, path = '', drafts, onChange, context }: ListProps) {
  return fields.map((field) => (
    <FieldInput
      key={field.name}
      field={field}
      path={joinPath(path, field.name)}
      draft={drafts[field.name]}
      onChange={(draft) => onChange({ ...drafts, [field.name]: draft })}
      context={context}
    />
  ))
}

function FieldInput({ field, path, draft, onChange, context }: Props) {
  const error = context.invalidField?.path === path ? context.invalidField.message : undefined
  const text = typeof draft === 'string' ? draft : ''
  const commonProps = { label: field.label, hint: field.hint, error, required: field.isRequired }
  const onInput = ({ target }: { target: { value: string } }): void => onChange(target.value)
  switch (field.kind) {
    case 'text': {
      const lengths = { minLength: field.minLength, maxLength: field.maxLength }
      if (field.format === 'lines') return <TextArea {...commonProps} {...lengths} value={text} onChange={onInput} />
      const type = inputTypes[field.format]
      return <TextField {...commonProps} {...lengths} type={type} value={text} onChange={onInput} />
    }
    case 'number': {
      const { min, max, isWhole } = field
      const step = isWhole ? 1 : 'any'
      return (
        <TextField {...commonProps} type="number" min={min} max={max} step={step} value={text} onChange={onInput} />
      )
    }
    case 'switch':
      return (
        <CheckField
          label={field.label}
          description={field.hint}
          error={error}
          checked={draft === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      )
    case 'choice':
      return (
        <SelectField
          {...commonProps}
          value={text}
          onChange={onInput}
          data={[
            { value: '', label: field.isRequired ? 'Choose …' : '–' },
            ...field.options.map((option, index) => ({ value: String(index), label: formatOption(option) })),
          ]}
        />
      )
    case 'choices':
      return <Choices field={field} error={error} selected={Array.isArray(draft) ? draft : []} onChange={onChange} />
    case 'items':
      return (
        <TextArea
          {...commonProps}
          hint={joinSentences(field.hint, 'One value per line.')}
          value={text}
          onChange={onInput}
        />
      )
    case 'file':
      return <FileInput field={field} error={error} draft={draft} onChange={onChange} actionSlug={context.actionSlug} />
    case 'group':
      return (
        <FieldGroup field={field} error={error}>
          <FieldList
            fields={field.fields}
            path={path}
            drafts={toRecord(draft) as Drafts}
            onChange={onChange}
            context={context}
          />
        </FieldGroup>
      )
    case 'groups':
      return (
        <Groups field={field} error={error} draft={draft} onChange={onChange}>
          {(index, drafts, onItemChange) => (
            <FieldList
              fields={field.fields}
              path={joinPath(path, index)}
              drafts={drafts}
              onChange={onItemChange}
              context={context}
            />
          )}
        </Groups>
      )
    default:
      return (
        <TextArea
          {...commonProps}
          hint={joinSentences(field.hint, `JSON: a ${field.type}.`)}
          className="field code"
          spellCheck={false}
          value={text}
          onChange={onInput}
        />
      )
  }
}

const inputTypes: Record<TextFormat, string> = {
  text: 'text',
  lines: 'text',
  date: 'date',
  'date-time': 'datetime-local',
  email: 'email',
  url: 'url',
}

function joinSentences(...sentences: string[]): string {
  return sentences.filter(Boolean).join(' ')
}
