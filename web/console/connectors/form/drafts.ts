import { isRecord, toRecord, type Json } from '../../access/json.ts'
import { joinPath, type Field } from './fields.ts'

/** Unsaved input of a field: text for most fields, nested drafts for groups. */
export type Draft = string | boolean | readonly unknown[] | Json | undefined
export type Drafts = Readonly<Record<string, Draft>>

/** Error for an invalid field. `path`: path of the field in the parameters. */
export class FieldError extends Error {
  override readonly name = 'FieldError'
  readonly path: string
  /** Violated rule, without the name of the field. */
  readonly rule: string

  constructor(path: string, rule: string) {
    super(`${path} ${rule}`)
    this.path = path
    this.rule = rule
  }
}

export function toDrafts(fields: readonly Field[], values: Json): Drafts {
  return Object.fromEntries(fields.map((field) => [field.name, toDraft(field, values[field.name])]))
}

/** Creates the drafts of a new form. Fields with a default or only one valid value are filled in. */
export function createDrafts(fields: readonly Field[]): Drafts {
  return Object.fromEntries(
    fields.map((field) => {
      if (field.kind === 'group' && field.initial === undefined) return [field.name, createDrafts(field.fields)]
      if (field.kind === 'choice' && field.isRequired && field.options.length === 1)
        return [field.name, toDraft(field, field.options[0])]
      return [field.name, toDraft(field, field.initial)]
    }),
  )
}

function toDraft(field: Field, value: unknown): Draft {
  switch (field.kind) {
    case 'text':
      return field.format === 'date-time' ? toLocalTime(value) : typeof value === 'string' ? value : ''
    case 'number':
      return typeof value === 'number' ? String(value) : ''
    case 'switch':
      return value === true
    case 'choice':
      return value === undefined || value === null ? '' : String(findOption(field.options, value))
    case 'choices':
      return Array.isArray(value) ? value : []
    case 'items':
      return Array.isArray(value) ? value.join('\n') : ''
    case 'file':
      return isRecord(value) ? value : undefined
    case 'group':
      return toDrafts(field.fields, toRecord(value))
    case 'groups':
      return Array.isArray(value) ? value.map((item) => toDrafts(field.fields, toRecord(item))) : []
    default:
      return value === undefined ? '' : JSON.stringify(value, null, 2)
  }
}

/** Converts drafts to parameters and omits empty optional fields. Throws `FieldError` for invalid JSON. */
export function toValues(fields: readonly Field[], drafts: Drafts, path = ''): Json {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = toValue(field, drafts[field.name], joinPath(path, field.name))
      return value === undefined ? [] : [[field.name, value]]
    }),
  )
}

function toValue(field: Field, draft: Draft, path: string): unknown {
  const text = typeof draft === 'string' ? draft : ''
  switch (field.kind) {
    case 'text':
      if (text === '') return field.isRequired ? '' : undefined
      return field.format === 'date-time' ? new Date(text).toISOString() : text
    case 'number':
      return text === '' ? undefined : Number(text)
    case 'switch':
      return draft === true
    case 'choice':
      return text === '' ? undefined : field.options[Number(text)]
    case 'choices':
      return Array.isArray(draft) && (draft.length > 0 || field.isRequired) ? draft : undefined
    case 'items': {
      const items = text.split('\n').filter((line) => line.trim() !== '')
      if (items.length === 0 && !field.isRequired) return undefined
      return field.isNumeric ? items.map(Number) : items
    }
    case 'file':
      return draft
    case 'group': {
      const values = toValues(field.fields, toRecord(draft) as Drafts, path)
      return Object.keys(values).length === 0 && !field.isRequired ? undefined : values
    }
    case 'groups': {
      const groups = Array.isArray(draft) ? draft : []
      if (groups.length === 0 && !field.isRequired) return undefined
      return groups.map((group: unknown, index) =>
        toValues(field.fields, toRecord(group) as Drafts, joinPath(path, index)),
      )
    }
    default:
      return text.trim() === '' ? undefined : parseJson(text, path)
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new FieldError(path, 'is not valid JSON')
  }
}

function findOption(options: readonly unknown[], value: unknown): number | '' {
  const index = options.findIndex((option) => JSON.stringify(option) === JSON.stringify(value))
  return index === -1 ? '' : index
}

/** Formats a time for a `datetime-local` input, in the time zone of the browser. */
function toLocalTime(value: unknown): string {
  const time = typeof value === 'string' ? new Date(value) : undefined
  if (time === undefined || Number.isNaN(time.getTime())) return ''
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString()
  return local.slice(0, time.getSeconds() === 0 ? 16 : 19)
}
