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

/** Search for an artist of the streaming platform by name. It also accepts the URL or ID of an artist. */
export function ArtistSearch({ name, label, hint, required = false, initial = '' }: Props) {
  const [text, setText] = useState(initial)
  const [chosen, setChosen] = useState<string>()
  const { suggestions, isSearching, error, isName } = useArtistSearch(chosen === undefined ? text : '')
  const [isOpen, setOpen] = useState(false)
  const box = useCombobox({
    opened: isOpen && isName && chosen === undefined,
    onOpenedChange: setOpen,
    onDropdownClose: () => box.resetSelectedOption(),
  })
  const ids = suggestions.map(({ id }) => id).join(' ')
  useEffect(() => {
    if (ids !== '') box.selectFirstOption()
  }, [ids])
  const choose = (id: string): void => {
    setChosen(id)
    setText(suggestions.find((one) => one.id === id)?.name ?? id)
    box.closeDropdown()
  }
  return (
    <>
      <Combobox store={box} onOptionSubmit={choose} withinPortal={false}>
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
              setChosen(undefined)
              box.openDropdown()
            }}
            onFocus={() => box.openDropdown()}
            onBlur={() => box.closeDropdown()}
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Options aria-label="Artists">
            {suggestions.map(({ id, name: artist, note }) => (
              <Combobox.Option key={id} value={id}>
                {artist} <small className="quiet">{note}</small>
              </Combobox.Option>
            ))}
          </Combobox.Options>
          {suggestions.length === 0 && (
            <Combobox.Empty role="status">{explainEmpty(isSearching, error)}</Combobox.Empty>
          )}
        </Combobox.Dropdown>
      </Combobox>
      <input type="hidden" name={name} value={chosen ?? parseStreamingId(text) ?? ''} />
    </>
  )
}

function explainEmpty(isSearching: boolean, error: unknown): string {
  if (isSearching) return 'Searching …'
  if (error !== null) return explain(error)
  return 'No artist has this name. Paste the URL of the artist page instead.'
}
