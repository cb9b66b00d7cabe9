import { useId, useState, type ComponentProps, type FormEvent, type ReactNode } from 'react'
import { explain } from '../access/failure.ts'

/** Values of a submitted form. */
export type Fields = {
  /** Text without surrounding white space; empty if the field is empty. */
  text(name: string): string
  /** Like `text`, but undefined if the field is empty. */
  optional(name: string): string | undefined
  number(name: string): number | undefined
  isOn(name: string): boolean
  files(name: string): File[]
}

type FormProps = {
  submit: string
  onSubmit: (fields: Fields) => Promise<unknown>
  children: ReactNode
  /** Clears the fields after a successful submit. */
  resets?: boolean
  /** Content beside the submit button. */
  more?: ReactNode
  className?: string
}

/** Form that is disabled while it submits, shows the error of a failed submit, and then keeps its input. */
export function Form({ submit, onSubmit, children, resets = false, more, className }: FormProps) {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const send = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = event.currentTarget
    setBusy(true)
    setFault(undefined)
    try {
      await onSubmit(toFields(new FormData(form)))
      if (resets) form.reset()
    } catch (error) {
      setFault(explain(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className={className} onSubmit={(event) => void send(event)}>
      {children}
      {fault !== undefined && (
        <p className="error" role="alert">
          {fault}
        </p>
      )}
      <div className="buttons">
        <button disabled={isBusy}>{isBusy ? 'Wait …' : submit}</button>
        {more}
      </div>
    </form>
  )
}

type FieldProps = { label: ReactNode; hint?: ReactNode }

export function TextField({ label, hint, ...input }: FieldProps & ComponentProps<'input'>) {
  const hintId = useId()
  return (
    <div className="field">
      <label>
        {label}
        <input aria-describedby={hint === undefined ? undefined : hintId} {...input} />
      </label>
      <Hint id={hintId} hint={hint} />
    </div>
  )
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

export function TextArea({ label, hint, ...input }: FieldProps & ComponentProps<'textarea'>) {
  const hintId = useId()
  return (
    <div className="field">
      <label>
        {label}
        <textarea aria-describedby={hint === undefined ? undefined : hintId} {...input} />
      </label>
      <Hint id={hintId} hint={hint} />
    </div>
  )
}

export function SelectField({ label, hint, children, ...select }: FieldProps & ComponentProps<'select'>) {
  const hintId = useId()
  return (
    <div className="field">
      <label>
        {label}
        <select aria-describedby={hint === undefined ? undefined : hintId} {...select}>
          {children}
        </select>
      </label>
      <Hint id={hintId} hint={hint} />
    </div>
  )
}

function Hint({ id, hint }: { id: string; hint: ReactNode }) {
  return hint === undefined ? null : (
    <small id={id} className="quiet">
      {hint}
    </small>
  )
}

function toFields(data: FormData): Fields {
  const text = (name: string): string => {
    const value = data.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  return {
    text,
    optional: (name) => text(name) || undefined,
    number: (name) => (text(name) === '' ? undefined : Number(text(name))),
    isOn: (name) => data.has(name),
    files: (name) => data.getAll(name).filter((one): one is File => one instanceof File && one.name !== ''),
  }
}
