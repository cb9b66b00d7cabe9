import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { refreshAfter } from '../access/queries.ts'
import { Action } from '../parts/buttons/action.tsx'
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
    const { artists, pagination } = await api.GET('/api/artists', { query: { limit: 100, offset, ...forAccount() } })
    const artist = artists.find(({ account_id: accountId }) => accountId === id)
    if (artist !== undefined) return artist
    offset = pagination.next_offset ?? offset + 100
    if (offset >= pagination.total_count) throw new Error('This artist is not on your roster.')
  }
}

export function ArtistPage() {
  const { artistId: id = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const query = useQuery({ queryKey: ['artists', id], queryFn: () => readArtist(id) })
  const path = { id }
  const scrape = async (): Promise<void> => {
    const { runId } = await api.POST('/api/artist/socials/scrape', { body: { artist_account_id: id, posts: 20 } })
    await navigate({ to: `/scraping/${runId}` })
  }
  const pin = (pinned: boolean) =>
    refreshAfter(api.PATCH('/api/artists/{id}', { path, body: { pinned, ...forAccount() } }), 'artists')
  const remove = async (): Promise<void> => {
    await refreshAfter(api.DELETE('/api/artists/{id}', { path, body: forAccount() }), 'artists')
    await navigate({ to: '/artists' })
  }
  return (
    <LoadedPage title="Artist" query={query}>
      {(artist) => (
        <Page
          title={artist.name ?? 'Unnamed artist'}
          actions={
            <>
              <Action name="Scrape profiles" isPrimary onAct={scrape} />
              <Action name={artist.pinned ? 'Unpin' : 'Pin'} onAct={() => pin(!artist.pinned)} />
              <Action name="Remove from roster" confirm="Remove this artist from your roster?" onAct={remove} />
            </>
          }
        >
          <Profiles artistId={id} />
          <Posts artistId={id} />
          <ArtistCatalogs artistId={id} />
          <Section title="Workspace information">
            <ArtistForm key={artist.updated_at} artist={artist} />
            <Documents artist={artist} />
          </Section>
        </Page>
      )}
    </LoadedPage>
  )
}
