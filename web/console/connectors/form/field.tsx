import { CheckField } from '../../parts/check-field.tsx'
import { SelectField, TextArea, TextField } from '../../parts/form.tsx'
import { toRecord } from '../json.ts'
import type { Draft, Drafts } from './drafts.ts'
import { joinPath, type Field, type TextFormat } from './fields.ts'
import { FieldGroup } from './field-group.tsx'
import { FileInput } from './file-input.tsx'
import { Choices, Groups, optionInWords } from './lists.tsx'

export type InvalidField = { path: string; message: string }
export type Context = { actionSlug: string; invalid: InvalidField | undefined }
type Props = {
  field: Field
  path: string
  draft: Draft
  onChange: (draft: Draft) => void
  context: Context
}

/** Fields of an object. A change gives the drafts of all of them. */
export function FieldList({
  fields,
  path = '',
  drafts,
  onChange,
  context,
}: {
  fields: readonly Field[]
  path?: string
  drafts: Drafts
  onChange: (drafts: Drafts) => void
  context: Context
}) {
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
  const error = context.invalid?.path === path ? context.invalid.message : undefined
  const text = typeof draft === 'string' ? draft : ''
  const shared = { label: field.label, hint: field.hint, error, required: field.isRequired }
  const write = ({ target }: { target: { value: string } }): void => onChange(target.value)
  switch (field.kind) {
    case 'text': {
      const lengths = { minLength: field.minLength, maxLength: field.maxLength }
      if (field.format === 'lines') return <TextArea {...shared} {...lengths} value={text} onChange={write} />
      const type = inputTypes[field.format]
      return <TextField {...shared} {...lengths} type={type} value={text} onChange={write} />
    }
    case 'number': {
      const { min, max, isWhole } = field
      const step = isWhole ? 1 : 'any'
      return <TextField {...shared} type="number" min={min} max={max} step={step} value={text} onChange={write} />
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
        <SelectField {...shared} value={text} onChange={write}>
          <option value="">{field.isRequired ? 'Choose …' : '–'}</option>
          {field.options.map((option, at) => (
            <option key={at} value={at}>
              {optionInWords(option)}
            </option>
          ))}
        </SelectField>
      )
    case 'choices':
      return <Choices field={field} error={error} chosen={Array.isArray(draft) ? draft : []} onChange={onChange} />
    case 'items':
      return <TextArea {...shared} hint={join(field.hint, 'One value a line.')} value={text} onChange={write} />
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
          {(at, drafts, onItem) => (
            <FieldList
              fields={field.fields}
              path={joinPath(path, at)}
              drafts={drafts}
              onChange={onItem}
              context={context}
            />
          )}
        </Groups>
      )
    default:
      return (
        <TextArea
          {...shared}
          hint={join(field.hint, `JSON: a ${field.type}.`)}
          className="field code"
          spellCheck={false}
          value={text}
          onChange={write}
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

function join(...sentences: string[]): string {
  return sentences.filter(Boolean).join(' ')
}
