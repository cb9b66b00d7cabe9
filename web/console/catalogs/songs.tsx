import { useQuery, useQueryClient } from '@tanstack/react-query'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Action } from '../parts/action.tsx'
import { Form, TextField } from '../parts/form.tsx'
import { pageSize, useOffsetList } from '../parts/lists.ts'
import { Rows } from '../parts/loaded.tsx'
import { Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { count } from '../parts/words.tsx'

/** Table of the songs with their latest play counts. */
export function Songs({ catalogId }: { catalogId: string }) {
  const queries = useQueryClient()
  const plays = useQuery({ queryKey: ['measurements', catalogId, 'plays'], queryFn: () => readPlays(catalogId) })
  const list = useOffsetList({
    key: ['songs', catalogId],
    fetchPage: async (offset) => {
      const query = { catalog_id: catalogId, page: offset / pageSize + 1, limit: pageSize }
      return { rows: (await read(api.GET('/api/catalogs/songs', { params: { query } }))).songs }
    },
  })
  const getPlays = ({ isrc }: { isrc: string }): number | undefined => plays.data?.get(isrc)
  const refresh = (): Promise<unknown> =>
    Promise.all(
      ['songs', 'catalogs', 'measurements'].map((queryKey) => queries.invalidateQueries({ queryKey: [queryKey] })),
    )
  const remove = async (isrc: string): Promise<void> => {
    await read(api.DELETE('/api/catalogs/songs', { body: { songs: [{ catalog_id: catalogId, isrc }] } }))
    await refresh()
  }
  return (
    <Section title="Songs">
      <Rows list={list} empty={<p>This catalog has no songs yet.</p>}>
        {(songs) => (
          <Table
            caption="Songs"
            rows={songs}
            rowKey={({ isrc }) => isrc}
            list={list}
            tools="all"
            columns={[
              { name: 'Song', show: ({ name }) => name ?? '–', value: ({ name }) => name },
              { name: 'Artists', show: formatArtists, value: formatArtists },
              { name: 'Album', show: ({ album }) => album ?? '–', value: ({ album }) => album },
              { name: 'Recording code', show: ({ isrc }) => <code>{isrc}</code>, value: ({ isrc }) => isrc },
              { name: 'Plays', show: (song) => count(getPlays(song)), value: getPlays, isNumber: true },
              {
                name: 'Change',
                show: ({ isrc, name }) => (
                  <Action label={`Remove ${name ?? isrc}`} onAct={() => remove(isrc)}>
                    Remove
                  </Action>
                ),
              },
            ]}
          />
        )}
      </Rows>
      <details className="fold">
        <summary>Add a song by ISRC</summary>
        <Form
          submit="Add"
          resets
          onSubmit={async (fields) => {
            const song = { catalog_id: catalogId, isrc: fields.text('isrc') }
            await read(api.POST('/api/catalogs/songs', { body: { songs: [song] } }))
            await refresh()
          }}
        >
          <TextField name="isrc" label="ISRC" required placeholder="GBUM71029604" />
        </Form>
      </details>
    </Section>
  )
}

function formatArtists({ artists }: { artists: readonly { name: string | null }[] }): string {
  return artists.map(({ name }) => name ?? '–').join(', ')
}

async function readPlays(catalogId: string): Promise<Map<string, number>> {
  const plays = new Map<string, number>()
  for (let page = 1; ; page++) {
    const params = { path: { catalogId }, query: { page, limit: 100, ...forAccount() } }
    const response = await read(api.GET('/api/catalogs/{catalogId}/measurements', { params }))
    for (const { isrc, playcount } of response.measurements) plays.set(isrc, playcount)
    if (page >= response.pagination.total_pages) return plays
  }
}
