import { Table } from '../parts/table.tsx'
import { count, duration } from '../parts/words.tsx'
import type { Overview } from './overview.ts'

type Props = { routes: Overview['slowestRoutes']; sinceSeconds: number }

export function Routes({ routes, sinceSeconds }: Props) {
  if (routes.length === 0) return <p className="quiet">No requests yet.</p>
  return (
    <>
      <p className="quiet">
        The last {duration(sinceSeconds * 1000)}, sorted by the 95th percentile of the response time.
      </p>
      <Table
        caption="Slowest routes"
        rows={routes}
        rowKey={({ method, route }) => `${method} ${route}`}
        tools="all"
        columns={[
          {
            name: 'Route',
            show: ({ method, route }) => (
              <code>
                {method} {route}
              </code>
            ),
            value: ({ method, route }) => `${method} ${route}`,
          },
          { name: 'Requests', value: (route) => route.count, format: count },
          { name: 'Failed', value: ({ failures }) => failures, format: count },
          { name: 'Mean', value: ({ meanMs }) => meanMs, format: duration },
          { name: '95th percentile', value: ({ p95Ms }) => p95Ms, format: duration },
        ]}
      />
    </>
  )
}
