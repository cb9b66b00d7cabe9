import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Action } from '../parts/action.tsx'
import { LoadedPage } from '../parts/loaded.tsx'
import { Page, Section } from '../parts/page.tsx'
import { ArtistCatalogs } from './artist-catalogs.tsx'
import { ArtistForm } from './artist-form.tsx'
import { Documents } from './documents.tsx'
import { Posts } from './posts.tsx'
import { Profiles } from './profiles.tsx'

/** Finds the artist in the roster of the account, which is read page by page. */
async function readArtist(id: string) {
  for (let offset = 0; ;) {
    const { artists, pagination } = await read(
      api.GET('/api/artists', { params: { query: { limit: 100, offset, ...forAccount() } } }),
    )
    const artist = artists.find(({ account_id: accountId }) => accountId === id)
    if (artist !== undefined) return artist
    offset = pagination.next_offset ?? offset + 100
    if (offset >= pagination.total_count) throw new Error('This artist is not on your roster.')
  }
}

export function ArtistPage() {
  const { artistId = '' } = useParams({ strict: false })
  const queries = useQueryClient()
  const navigate = useNavigate()
  const query = useQuery({ queryKey: ['artists', artistId], queryFn: () => readArtist(artistId) })
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['artists'] })
  const path = { id: artistId }
  return (
    <LoadedPage title="Artist" query={query}>
      {(artist) => (
        <Page
          title={artist.name ?? 'Unnamed artist'}
          actions={
            <>
              <Action
                isPrimary
                onAct={async () => {
                  const { runId } = await read(
                    api.POST('/api/artist/socials/scrape', { body: { artist_account_id: artistId, posts: 20 } }),
                  )
                  await navigate({ to: '/scraping/$runId', params: { runId } })
                }}
              >
                Scrape profiles
              </Action>
              <Action
                onAct={async () => {
                  await read(
                    api.PATCH('/api/artists/{id}', {
                      params: { path },
                      body: { pinned: !artist.pinned, ...forAccount() },
                    }),
                  )
                  await refresh()
                }}
              >
                {artist.pinned ? 'Unpin' : 'Pin'}
              </Action>
              <Action
                confirm="Remove this artist from your roster?"
                onAct={async () => {
                  await read(api.DELETE('/api/artists/{id}', { params: { path }, body: forAccount() }))
                  await refresh()
                  await navigate({ to: '/artists' })
                }}
              >
                Remove from roster
              </Action>
            </>
          }
        >
          <Profiles artistId={artistId} onChange={refresh} />
          <Posts artistId={artistId} />
          <ArtistCatalogs artistId={artistId} />
          <Section title="Workspace information">
            <ArtistForm key={artist.updated_at} artist={artist} onSave={refresh} />
            <Documents artist={artist} onChange={refresh} />
          </Section>
        </Page>
      )}
    </LoadedPage>
  )
}
