import { useGet } from '../access/queries.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Figures, Page, Section } from '../parts/page.tsx'
import { bytes, count, Status } from '../parts/words.tsx'
import { Activity, useActivity } from './activity.tsx'
import { Alerts } from './alerts.tsx'
import { Processes } from './processes.tsx'
import { Queues } from './queues.tsx'
import { Routes } from './routes.tsx'
import { TemporalLink } from './temporal-link.tsx'

const refetchMs = 5000

export function OperatorPage() {
  const query = useGet('operator', '/api/operator/overview', {}, { refetchInterval: refetchMs })
  const activity = useActivity()
  return (
    <Page title="Operator" lead="State of all processes in this deployment." actions={<TemporalLink />}>
      <Loaded query={query}>
        {({ health, totals, lost, queues, taskQueues, alerts, processes, slowestRoutes, routesSinceSeconds }) => (
          <>
            <Figures
              figures={[
                ['Postgres', <Status key="postgres" of={health.postgres} />],
                ['Migrations', <Status key="migrations" of={health.migrations} />],
                ['Temporal', <Status key="temporal" of={health.temporal} />],
                ['Free disk', health.disk.freeBytes === null ? 'unknown' : bytes(health.disk.freeBytes)],
                ['Live API processes', count(totals.apisAlive)],
                ['Live workers', count(totals.workersAlive)],
                [`Processes lost in ${lost.sinceHours}\u00A0h`, count(lost.processes)],
                ['Attempts taken over', count(lost.attempts)],
                ['Open streams', count(totals.openStreams)],
                ['Frames sent per second', totals.framesSentPerSecond.toFixed(1)],
                ['Requests per second', totals.requestsPerSecond.toFixed(1)],
                ['Running activities', count(totals.runningActivities)],
              ]}
            />
            <Alerts alerts={alerts} />
            <Activity query={activity} />
            <Queues queues={queues} taskQueues={taskQueues} />
            <Section title="Processes">
              <Processes processes={processes} />
            </Section>
            <Section title="Slowest routes">
              <Routes routes={slowestRoutes} sinceSeconds={routesSinceSeconds} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}
