import { Link } from '@tanstack/react-router'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { useCursorList } from '../parts/lists.ts'
import { isLive } from '../parts/live.ts'
import { Rows } from '../parts/loaded.tsx'
import { Table } from '../parts/table.tsx'
import { formatCredits, Status, Time } from '../parts/words.tsx'

const refetchMs = 5000

/** Scrapes of the signed-in account, regardless of the selected account. */
export function ScrapeList() {
  const list = useCursorList({
    key: ['runs', 'scrapes'],
    fetchPage: async (cursor) => {
      const query = { kind: 'scrape-socials', limit: 50, ...cursor }
      const { runs, next_cursor: next } = await read(api.GET('/api/runs', { params: { query } }))
      return { rows: runs, next }
    },
    refetchMs: (runs) => (runs.some(({ status }) => isLive(status)) ? refetchMs : false),
  })
  return (
    <Rows list={list} empty={<p>No scrapes yet. Choose an artist above to read the profiles that are linked to it.</p>}>
      {(runs) => (
        <Table
          caption="Scrapes"
          rows={runs}
          rowKey={({ id }) => id}
          list={list}
          tools="all"
          columns={[
            {
              name: 'Started',
              show: ({ id, createdAt }) => (
                <Link to="/scraping/$runId" params={{ runId: id }}>
                  <Time at={createdAt} />
                </Link>
              ),
              value: ({ createdAt }) => new Date(createdAt),
            },
            { name: 'Status', show: ({ status }) => <Status of={status} />, value: ({ status }) => status },
            {
              name: 'Cost',
              show: ({ credits }) => formatCredits(credits),
              value: ({ credits }) => credits,
              isNumber: true,
            },
            {
              name: 'Run',
              show: ({ id }) => (
                <Link to="/runs/$runId" params={{ runId: id }}>
                  Timeline
                </Link>
              ),
              value: ({ id }) => id,
            },
          ]}
        />
      )}
    </Rows>
  )
}
