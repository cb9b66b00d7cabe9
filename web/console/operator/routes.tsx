import { Table } from '../parts/table.tsx'
import { count, duration } from '../parts/words.tsx'
import type { Overview } from './overview.ts'

type Props = { routes: Overview['slowestRoutes']; sinceSeconds: number }

export function Routes({ routes, sinceSeconds }: Props) {
  if (routes.length === 0) return <p className="quiet">No request was answered yet.</p>
  return (
    <>
      <p className="quiet">
        Of the last {duration(sinceSeconds * 1000)}, by the time that 95 of 100 requests stay under.
      </p>
      <Table
        caption="Slowest routes"
        rows={routes}
        rowKey={({ method, route }) => `${method} ${route}`}
        columns={[
          {
            name: 'Route',
            show: ({ method, route }) => (
              <code>
                {method} {route}
              </code>
            ),
          },
          { name: 'Requests', show: (route) => count(route.count), isNumber: true },
          { name: 'Failed', show: ({ failures }) => count(failures), isNumber: true },
          { name: 'Mean', show: ({ meanMs }) => duration(meanMs), isNumber: true },
          { name: '95%', show: ({ p95Ms }) => duration(p95Ms), isNumber: true },
        ]}
      />
    </>
  )
}
