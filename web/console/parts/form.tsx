import { Alert, Button, Group, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useState, type ComponentProps, type FormEvent, type ReactNode } from 'react'
import { explain, findRemedy } from '../access/failure.ts'
import { RemedyLink } from './remedy-link.tsx'

/** Values of a submitted form. */
export type Fields = {
  /** Trimmed text; an empty string if the field is empty. */
  text(name: string): string
  /** Like `text`, but undefined if the field is empty. */
  optional(name: string): string | undefined
  number(name: string): number | undefined
  /** Trimmed parts of a text, without empty parts. */
  list(name: string, separator: string): string[]
  isOn(name: string): boolean
  files(name: string): File[]
}

type FormProps = {
  submit: string
  onSubmit: (fields: Fields) => Promise<unknown>
  children: ReactNode
  /** Clears the fields after a successful submit. */
  resets?: boolean
  /** Additional buttons beside the submit button. */
  extraButtons?: ReactNode
  className?: string
}

/** Form that is disabled during a submit. After a failed submit, it shows the error and keeps its input. */
export function Form({ submit, onSubmit, children, resets = false, extraButtons, className }: FormProps) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const submitForm = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = event.currentTarget
    setBusy(true)
    setError(undefined)
    try {
      await onSubmit(toFields(new FormData(form)))
      if (resets) form.reset()
    } catch (reason) {
      setError(reason)
    } finally {
      setBusy(false)
    }
  }
  const remedy = findRemedy(error)
  return (
    <form className={className} onSubmit={(event) => void submitForm(event)}>
      {children}
      {error !== undefined && (
        <Alert color="red" mb="sm">
          {explain(error)} {remedy !== undefined && <RemedyLink remedy={remedy} />}
        </Alert>
      )}
      <Group gap="xs">
        <Button type="submit" loading={isBusy}>
          {submit}
        </Button>
        {extraButtons}
      </Group>
    </form>
  )
}

type FieldProps = { hint?: ReactNode }

export function TextField({ hint, ...input }: FieldProps & ComponentProps<typeof TextInput>) {
  return <TextInput className="field" description={hint} inputWrapperOrder={fieldOrder} {...input} />
}

type SearchProps = { label: string; value: string; onSearch: (text: string) => void }

/** Search field that filters a loaded list as the user types. */
export function SearchField({ label, value, onSearch }: SearchProps) {
  return (
    <div className="filters">
      <TextField label={label} type="search" value={value} onChange={({ target }) => onSearch(target.value)} />
    </div>
  )
}

export function TextArea({ hint, ...input }: FieldProps & ComponentProps<typeof Textarea>) {
  return (
    <Textarea
      className="field"
      description={hint}
      inputWrapperOrder={fieldOrder}
      rows={4}
      resize="vertical"
      {...input}
    />
  )
}

export function SelectField({ hint, ...select }: FieldProps & ComponentProps<typeof NativeSelect>) {
  return <NativeSelect className="field" description={hint} inputWrapperOrder={fieldOrder} {...select} />
}

const fieldOrder: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

function toFields(data: FormData): Fields {
  const text = (name: string): string => {
    const value = data.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  return {
    text,
    optional: (name) => text(name) || undefined,
    number: (name) => (text(name) === '' ? undefined : Number(text(name))),
    list: (name, separator) =>
      text(name)
        .split(separator)
        .map((part) => part.trim())
        .filter(Boolean),
    isOn: (name) => data.has(name),
    files: (name) => data.getAll(name).filter((value): value is File => value instanceof File && value.name !== ''),
  }
}
