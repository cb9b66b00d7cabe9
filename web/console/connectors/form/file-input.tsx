import { useState } from 'react'
import { Action } from '../../parts/action.tsx'
import { TextField } from '../../parts/form.tsx'
import { isRecord } from '../json.ts'
import { stagePicture } from '../stage-picture.tsx'
import type { Draft } from './drafts.ts'
import type { Field } from './fields.ts'

type Props = {
  field: Field
  error: string | undefined
  draft: Draft
  onChange: (draft: Draft) => void
  actionSlug: string
}

/** An image from a URL, which is staged for the action. */
export function FileInput({ field: { label, hint, isRequired }, error, draft, onChange, actionSlug }: Props) {
  const [url, setUrl] = useState('')
  const staged = isRecord(draft) ? draft['name'] : undefined
  return (
    <fieldset>
      <legend>{label}</legend>
      {hint !== '' && <p className="quiet">{hint}</p>}
      {typeof staged === 'string' ? (
        <div className="buttons">
          <span>{staged}</span>
          <Action onAct={async () => onChange(undefined)}>Remove</Action>
        </div>
      ) : (
        <>
          <TextField
            label={`Image URL: ${label}`}
            type="url"
            placeholder="https://example.com/a.png"
            error={error}
            required={isRequired}
            value={url}
            onChange={({ target }) => setUrl(target.value)}
          />
          <Action disabled={url.trim() === ''} onAct={async () => onChange(await stagePicture(actionSlug, url.trim()))}>
            Insert
          </Action>
        </>
      )}
    </fieldset>
  )
}
