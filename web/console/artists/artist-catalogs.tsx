import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Section } from '../parts/page.tsx'

/** The catalogs of the account that contain songs of the artist. */
export function ArtistCatalogs({ artistId: id }: { artistId: string }) {
  const query = useQuery({
    queryKey: ['artists', id, 'profile'],
    queryFn: async () => (await read(api.GET('/api/artists/{id}/profile', { params: { path: { id } } }))).profile,
  })
  return (
    <Section title="Catalogs">
      <Loaded query={query}>
        {({ catalogs }) =>
          catalogs.length === 0 ? (
            <p className="empty">
              Your catalogs contain no songs of this artist. <Link to="/valuation">Run a valuation</Link> to create a
              catalog.
            </p>
          ) : (
            <ul>
              {catalogs.map(({ id: catalogId, name, songs }) => (
                <li key={catalogId}>
                  <Link to="/catalogs/$catalogId" params={{ catalogId }}>
                    {name}
                  </Link>{' '}
                  <span className="quiet">
                    {songs.length} {songs.length === 1 ? 'song' : 'songs'}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}
