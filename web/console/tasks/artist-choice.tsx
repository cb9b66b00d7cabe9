import { Link } from '@tanstack/react-router'
import { forAccount } from '../access/acting.ts'
import { useGet } from '../access/queries.ts'
import { SelectField } from '../parts/form.tsx'

/** Query for the first 100 artists of the roster. */
export function useArtists(enabled = true) {
  const input = { query: { limit: 100, ...forAccount() } }
  return useGet('artists', '/api/artists', input, { select: ({ artists }) => artists, enabled })
}

/** Select field with the artists of the roster, or a link to the page that adds artists if the roster is empty. */
export function ArtistChoice({ name, selectedId }: { name: string; selectedId?: string | undefined }) {
  const { data } = useArtists()
  if (data?.length === 0)
    return (
      <p className="notice">
        There are no artists yet. <Link to="/artists">Add an artist first</Link>.
      </p>
    )
  return (
    <SelectField
      label="Artist"
      name={name}
      required
      defaultValue={selectedId}
      key={data === undefined ? 'loading' : 'loaded'}
      data={
        data?.map(({ account_id: value, name: label }) => ({ value, label: label ?? 'Unnamed artist' })) ?? [
          { value: '', label: 'Loading …' },
        ]
      }
    />
  )
}
