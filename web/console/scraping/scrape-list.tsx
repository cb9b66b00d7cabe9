import { Link } from '@tanstack/react-router'
import { api } from '../access/api.ts'
import { useCursorList } from '../parts/lists.ts'
import { isLive } from '../parts/live.ts'
import { Rows } from '../parts/loaded.tsx'
import { Table } from '../parts/table.tsx'
import { formatCredits, Status, Time } from '../parts/words.tsx'

const refetchMs = 5000

/** Scrapes of the signed-in account, regardless of the selected account. */
export function ScrapeList() {
  const list = useCursorList(
    ['runs', 'scrapes'],
    (range) => api.GET('/api/runs', { query: { kind: 'scrape-socials', ...range } }),
    ({ runs }) => runs,
    { refetchMs: (runs) => runs.some(({ status }) => isLive(status)) && refetchMs },
  )
  return (
    <Rows list={list} empty="No scrapes yet. Choose an artist above to read the profiles that are linked to it.">
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
                <Link to={`/scraping/${id}`}>
                  <Time at={createdAt} />
                </Link>
              ),
              value: ({ createdAt }) => new Date(createdAt),
            },
            { name: 'Status', show: ({ status }) => <Status of={status} />, value: ({ status }) => status },
            { name: 'Cost', value: ({ credits }) => credits, format: formatCredits },
            { name: 'Run', show: ({ id }) => <Link to={`/runs/${id}`}>Timeline</Link>, value: ({ id }) => id },
          ]}
        />
      )}
    </Rows>
  )
}
