import { useQuery } from '@tanstack/react-query'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { refreshAfter } from '../access/queries.ts'
import { Action } from '../parts/buttons/action.tsx'
import { Form, TextField } from '../parts/form.tsx'
import { useOffsetList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Fold, Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { count } from '../parts/words.tsx'

const songsRoute = '/api/catalogs/songs'

/** Table of the songs with their latest play counts. */
export function Songs({ catalogId }: { catalogId: string }) {
  const plays = useQuery({ queryKey: ['measurements', catalogId, 'plays'], queryFn: () => readPlays(catalogId) })
  const list = useOffsetList(
    ['songs', catalogId],
    ({ limit, offset }) => {
      const query = { catalog_id: catalogId, page: offset / limit + 1, limit }
      return api.GET(songsRoute, { query })
    },
    ({ songs }) => songs,
  )
  const getPlays = ({ isrc }: { isrc: string }): number | undefined => plays.data?.get(isrc)
  const toBody = (isrc: string) => ({ body: { songs: [{ catalog_id: catalogId, isrc }] } })
  return (
    <Section title="Songs">
      <Rows list={list} empty="This catalog has no songs yet.">
        {(songs) => (
          <Table
            caption="Songs"
            rows={songs}
            rowKey={({ isrc }) => isrc}
            list={list}
            tools="all"
            columns={[
              { name: 'Song', value: ({ name }) => name },
              { name: 'Artists', value: formatArtists },
              { name: 'Album', value: ({ album }) => album },
              { name: 'Recording code', show: ({ isrc }) => <code>{isrc}</code>, value: ({ isrc }) => isrc },
              { name: 'Plays', value: getPlays, format: count },
              {
                name: 'Change',
                show: ({ isrc, name }) => (
                  <Action
                    name="Remove"
                    label={`Remove ${name ?? isrc}`}
                    onAct={() => finish(api.DELETE(songsRoute, toBody(isrc)))}
                  />
                ),
              },
            ]}
          />
        )}
      </Rows>
      <Fold title="Add a song by ISRC">
        <Form submit="Add" resets onSubmit={(fields) => finish(api.POST(songsRoute, toBody(fields.text('isrc'))))}>
          <TextField name="isrc" label="ISRC" required placeholder="GBUM71029604" />
        </Form>
      </Fold>
    </Section>
  )
}

function finish(change: Promise<unknown>): Promise<unknown> {
  return refreshAfter(change, 'songs', 'catalogs', 'catalog', 'measurements')
}

function formatArtists({ artists }: { artists: readonly { name: string | null }[] }): string {
  return artists.map(({ name }) => name ?? '–').join(', ')
}

async function readPlays(catalogId: string): Promise<Map<string, number>> {
  const plays = new Map<string, number>()
  for (let page = 1; ; page++) {
    const input = { path: { catalogId }, query: { page, limit: 100, ...forAccount() } }
    const response = await api.GET('/api/catalogs/{catalogId}/measurements', input)
    for (const { isrc, playcount } of response.measurements) plays.set(isrc, playcount)
    if (page >= response.pagination.total_pages) return plays
  }
}
