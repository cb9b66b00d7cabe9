import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { SelectField } from '../parts/form.tsx'

/** Query for the first 100 artists of the roster. */
export const artistsQuery = queryOptions({
  queryKey: ['artists', 'choice'],
  queryFn: async () =>
    (await read(api.GET('/api/artists', { params: { query: { limit: 100, ...forAccount() } } }))).artists,
})

/** Select field with the artists of the roster, or a link to the page that adds artists if the roster is empty. */
export function ArtistChoice({ name, selectedId }: { name: string; selectedId?: string }) {
  const { data } = useQuery(artistsQuery)
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
    >
      {data === undefined && <option value="">Loading …</option>}
      {data?.map((artist) => (
        <option key={artist.account_id} value={artist.account_id}>
          {artist.name ?? 'Unnamed artist'}
        </option>
      ))}
    </SelectField>
  )
}
