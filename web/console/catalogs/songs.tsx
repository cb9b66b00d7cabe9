import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { forAccount } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Action } from '../parts/action.tsx'
import { Form, TextField } from '../parts/form.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { count } from '../parts/words.tsx'

const limit = 40

/** Table of the songs with their latest play counts, one page at a time. */
export function Songs({ catalogId }: { catalogId: string }) {
  const [page, setPage] = useState(1)
  const queries = useQueryClient()
  const query = useQuery({
    queryKey: ['songs', catalogId, page],
    queryFn: () => readSongs(catalogId, page),
    placeholderData: (previous) => previous,
  })
  const refresh = (): Promise<unknown> =>
    Promise.all(
      ['songs', 'catalogs', 'measurements'].map((queryKey) => queries.invalidateQueries({ queryKey: [queryKey] })),
    )
  return (
    <Section title="Songs">
      <Loaded query={query}>
        {({ songs, plays, pages }) => (
          <>
            {songs.length === 0 ? (
              <p className="empty">This catalog has no songs yet.</p>
            ) : (
              <Table
                caption="Songs"
                rows={songs}
                rowKey={({ isrc }) => isrc}
                columns={[
                  { name: 'Song', show: ({ name }) => name ?? '–' },
                  { name: 'Artists', show: ({ artists }) => artists.map((artist) => artist.name ?? '–').join(', ') },
                  { name: 'Album', show: ({ album }) => album ?? '–' },
                  { name: 'Recording code', show: ({ isrc }) => <code>{isrc}</code> },
                  { name: 'Plays', show: ({ isrc }) => count(plays.get(isrc)), isNumber: true },
                  {
                    name: 'Change',
                    show: ({ isrc }) => (
                      <Action
                        onAct={async () => {
                          await read(
                            api.DELETE('/api/catalogs/songs', { body: { songs: [{ catalog_id: catalogId, isrc }] } }),
                          )
                          await refresh()
                        }}
                      >
                        Remove
                      </Action>
                    ),
                  },
                ]}
              />
            )}
            <Pagination page={page} pages={pages} onChoose={setPage} />
          </>
        )}
      </Loaded>
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

function Pagination({ page, pages, onChoose }: { page: number; pages: number; onChoose: (page: number) => void }) {
  return pages < 2 ? null : (
    <div className="buttons">
      <Button size="xs" variant="default" disabled={page === 1} onClick={() => onChoose(page - 1)}>
        Previous
      </Button>
      <span>
        Page {page} of {pages}
      </span>
      <Button size="xs" variant="default" disabled={page === pages} onClick={() => onChoose(page + 1)}>
        Next
      </Button>
    </div>
  )
}

async function readSongs(catalogId: string, page: number) {
  const [{ songs, pagination }, plays] = await Promise.all([
    read(api.GET('/api/catalogs/songs', { params: { query: { catalog_id: catalogId, page, limit } } })),
    readPlays(catalogId),
  ])
  return { songs, plays, pages: pagination.total_pages }
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
