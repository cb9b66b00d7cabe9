import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { refreshAfter } from '../access/queries.ts'
import { Form, TextField } from '../parts/form.tsx'
import { useOffsetList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Fold, Page } from '../parts/page.tsx'
import { countOf } from '../parts/words.tsx'
import { readArtistId } from './streaming-id.ts'

// The form is initially collapsed, and most visits do not expand it.
const ArtistSearch = lazy(async () => ({ default: (await import('./artist-search.tsx')).ArtistSearch }))

export { ArtistPage } from './artist.tsx'

export function ArtistsPage() {
  const list = useOffsetList(
    ['artists', 'list'],
    (range) => api.GET('/api/artists', { query: { ...range, ...forAccount() } }),
    ({ artists }) => artists,
  )
  return (
    <Page title="Artists" lead="Your roster: the artists you work for, their profiles and your documents about them.">
      <NewArtist />
      <Rows list={list} empty="No artists yet. Add an artist above to use it in tasks, scraping and sessions.">
        {(artists) => (
          <ul className="cards">
            {artists.map(({ account_id: id, name, label, pinned, account_socials: socials }) => (
              <li key={id}>
                <h2>
                  <Link to={`/artists/${id}`}>{name ?? 'Unnamed artist'}</Link>
                </h2>
                <p className="quiet">
                  {[pinned && 'pinned', label, countOf(socials.length, 'profile')].filter(Boolean).join(' · ')}
                </p>
              </li>
            ))}
          </ul>
        )}
      </Rows>
    </Page>
  )
}

function NewArtist() {
  const navigate = useNavigate()
  return (
    <Fold title="Add an artist">
      <Form
        submit="Add"
        onSubmit={async (fields) => {
          const id = readArtistId(fields, 'streaming')
          const body = { ...forAccount(), name: fields.text('name'), streaming_artist_id: id }
          const { artist } = await refreshAfter(api.POST('/api/artists', { body }), 'artists')
          await navigate({ to: `/artists/${artist.account_id}` })
        }}
      >
        <TextField name="name" label="Name" required maxLength={200} />
        <Suspense>
          <ArtistSearch
            name="streaming"
            label="On the streaming platform (optional)"
            hint="Links the streaming profile, which valuations and play counts require."
          />
        </Suspense>
      </Form>
    </Fold>
  )
}
