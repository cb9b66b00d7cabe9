import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Form, TextField } from '../parts/form.tsx'
import { pageSize, useOffsetList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { readArtistId } from './streaming-id.ts'

// The form is initially collapsed, and most visits do not expand it.
const ArtistSearch = lazy(async () => ({ default: (await import('./artist-search.tsx')).ArtistSearch }))

export { ArtistPage } from './artist.tsx'

export function ArtistsPage() {
  const list = useOffsetList({
    key: ['artists', 'list'],
    fetchPage: async (offset) => {
      const { artists, pagination } = await read(
        api.GET('/api/artists', { params: { query: { limit: pageSize, offset, ...forAccount() } } }),
      )
      return { rows: artists, nextOffset: pagination.next_offset }
    },
  })
  return (
    <Page title="Artists" lead="Your roster: the artists you work for, their profiles and your documents about them.">
      <NewArtist />
      <Rows list={list} empty={<p>No artists yet. Add an artist above to use it in tasks, scraping and sessions.</p>}>
        {(artists) => (
          <ul className="cards">
            {artists.map(({ account_id: id, name, label, pinned, account_socials: socials }) => (
              <li key={id}>
                <h2>
                  <Link to="/artists/$artistId" params={{ artistId: id }}>
                    {name ?? 'Unnamed artist'}
                  </Link>
                </h2>
                <p className="quiet">
                  {[pinned && 'pinned', label, `${socials.length} ${socials.length === 1 ? 'profile' : 'profiles'}`]
                    .filter(Boolean)
                    .join(' · ')}
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
  const queries = useQueryClient()
  const navigate = useNavigate()
  return (
    <details className="fold">
      <summary>Add an artist</summary>
      <Form
        submit="Add"
        onSubmit={async (fields) => {
          const id = readArtistId(fields, 'streaming')
          const body = {
            ...forAccount(),
            name: fields.text('name'),
            ...(id !== undefined && { streaming_artist_id: id }),
          }
          const { artist } = await read(api.POST('/api/artists', { body }))
          await queries.invalidateQueries({ queryKey: ['artists'] })
          await navigate({ to: '/artists/$artistId', params: { artistId: artist.account_id } })
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
    </details>
  )
}
