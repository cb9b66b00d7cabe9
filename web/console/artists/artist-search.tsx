import { Combobox, Loader, useCombobox } from '@mantine/core'
import { useEffect, useState } from 'react'
import { explain } from '../access/failure.ts'
import { TextField } from '../parts/form.tsx'
import { parseStreamingId } from './streaming-id.ts'
import { useArtistSearch } from './use-artist-search.ts'

type Props = {
  /** Name of the form field with the id of the artist, which `readArtistId` reads. */
  name: string
  label: string
  hint?: string
  required?: boolean
  initial?: string | undefined
}

/** Search field for an artist of the streaming platform. It accepts a name, URL or ID. */
export function ArtistSearch({ name, label, hint, required = false, initial = '' }: Props) {
  const [text, setText] = useState(initial)
  const [selectedId, setSelectedId] = useState<string>()
  const { suggestions, isSearching, error, isName } = useArtistSearch(selectedId === undefined ? text : '')
  const [isOpen, setOpen] = useState(false)
  const combobox = useCombobox({
    opened: isOpen && isName && selectedId === undefined,
    onOpenedChange: setOpen,
    onDropdownClose: () => combobox.resetSelectedOption(),
  })
  const ids = suggestions.map(({ id }) => id).join(' ')
  useEffect(() => {
    if (ids !== '') combobox.selectFirstOption()
  }, [ids])
  const select = (id: string): void => {
    setSelectedId(id)
    setText(suggestions.find((suggestion) => suggestion.id === id)?.name ?? id)
    combobox.closeDropdown()
  }
  return (
    <>
      <Combobox store={combobox} onOptionSubmit={select} withinPortal={false}>
        <Combobox.Target withExpandedAttribute>
          <TextField
            name={`${name}-text`}
            label={label}
            hint={hint}
            required={required}
            autoComplete="off"
            placeholder="Name, URL or ID"
            value={text}
            rightSection={isSearching ? <Loader size="xs" /> : null}
            onChange={({ currentTarget }) => {
              setText(currentTarget.value)
              setSelectedId(undefined)
              combobox.openDropdown()
            }}
            onFocus={() => combobox.openDropdown()}
            onBlur={() => combobox.closeDropdown()}
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Options aria-label="Artists">
            {suggestions.map(({ id, name: artist, detail }) => (
              <Combobox.Option key={id} value={id}>
                {artist} <small className="quiet">{detail}</small>
              </Combobox.Option>
            ))}
          </Combobox.Options>
          {suggestions.length === 0 && (
            <Combobox.Empty role="status">{explainEmpty(isSearching, error)}</Combobox.Empty>
          )}
        </Combobox.Dropdown>
      </Combobox>
      <input type="hidden" name={name} value={selectedId ?? parseStreamingId(text) ?? ''} />
    </>
  )
}

function explainEmpty(isSearching: boolean, error: unknown): string {
  if (isSearching) return 'Searching …'
  if (error !== null) return explain(error)
  return 'No artist has this name. Paste the URL of the artist page instead.'
}
