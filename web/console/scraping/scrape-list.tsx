import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Table } from '../parts/table.tsx'
import { creditsInWords, Status, Time } from '../parts/words.tsx'

export function ScrapeList() {
  const query = useQuery({
    queryKey: ['runs', 'scrapes'],
    queryFn: async () =>
      (await read(api.GET('/api/runs', { params: { query: { kind: 'scrape-socials', limit: 50 } } }))).runs,
    refetchInterval: 5000,
  })
  return (
    <Loaded query={query}>
      {(runs) =>
        runs.length === 0 ? (
          <p className="empty">No scrapes yet.</p>
        ) : (
          <Table
            caption="Scrapes"
            rows={runs}
            rowKey={({ id }) => id}
            columns={[
              {
                name: 'Started',
                show: ({ id, createdAt }) => (
                  <Link to="/scraping/$runId" params={{ runId: id }}>
                    <Time at={createdAt} />
                  </Link>
                ),
              },
              { name: 'Status', show: ({ status }) => <Status of={status} /> },
              { name: 'Cost', show: ({ credits }) => creditsInWords(credits), isNumber: true },
              {
                name: 'Run',
                show: ({ id }) => (
                  <Link to="/runs/$runId" params={{ runId: id }}>
                    Timeline
                  </Link>
                ),
              },
            ]}
          />
        )
      }
    </Loaded>
  )
}
