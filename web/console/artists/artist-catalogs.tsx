import { Link } from '@tanstack/react-router'
import { useGet } from '../access/queries.ts'
import { LoadedSection } from '../parts/loaded.tsx'
import { countOf } from '../parts/words.tsx'

/** The catalogs of the account that contain songs of the artist. */
export function ArtistCatalogs({ artistId: id }: { artistId: string }) {
  const input = { path: { id } }
  const query = useGet('artists', '/api/artists/{id}/profile', input, { select: ({ profile }) => profile.catalogs })
  return (
    <LoadedSection
      title="Catalogs"
      query={query}
      empty={
        <>
          Your catalogs contain no songs of this artist. <Link to="/valuation">Run a valuation</Link> to create a
          catalog.
        </>
      }
    >
      {(catalogs) => (
        <ul>
          {catalogs.map(({ id, name, songs }) => (
            <li key={id}>
              <Link to={`/catalogs/${id}`}>{name}</Link> <span className="quiet">{countOf(songs.length, 'song')}</span>
            </li>
          ))}
        </ul>
      )}
    </LoadedSection>
  )
}
