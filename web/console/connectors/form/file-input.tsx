import { useState } from 'react'
import { Action } from '../../parts/buttons/action.tsx'
import { TextField } from '../../parts/form.tsx'
import { toRecord } from '../../access/json.ts'
import { stageImage } from '../stage-image.tsx'
import type { Draft } from './drafts.ts'
import { FieldGroup } from './field-group.tsx'
import type { Field } from './fields.ts'

type Props = {
  field: Field
  error: string | undefined
  draft: Draft
  onChange: (draft: Draft) => void
  actionSlug: string
}

/** Input for the URL of an image, which it stages for the action. */
export function FileInput({ field, error, draft, onChange, actionSlug }: Props) {
  const [url, setUrl] = useState('')
  const fileName = toRecord(draft)['name']
  return (
    <FieldGroup field={field} error={typeof fileName === 'string' ? error : undefined}>
      {typeof fileName === 'string' ? (
        <div className="buttons">
          <span>{fileName}</span>
          <Action name="Remove" onAct={() => onChange(undefined)} />
        </div>
      ) : (
        <>
          <TextField
            label={`Image URL: ${field.label}`}
            type="url"
            placeholder="https://example.com/a.png"
            error={error}
            required={field.isRequired}
            value={url}
            onChange={({ target }) => setUrl(target.value)}
          />
          <Action
            name="Insert"
            disabled={url.trim() === ''}
            onAct={async () => onChange(await stageImage(actionSlug, url.trim()))}
          />
        </>
      )}
    </FieldGroup>
  )
}
