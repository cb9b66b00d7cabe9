import { print } from '../../../dev/say.ts'
import { withCluster } from '../campaign/command.ts'
import { killPart } from '../faults/faults.ts'
import { raceKinds, runStopRaces, type RaceReport } from './races.ts'
import { createRandom } from '../../world/random.ts'
import { alignTable, percentile } from '../campaign/summary.ts'

const maxLines = 20
const statuses = ['completed', 'cancelled', 'failed']

const formatTable = ({ outcomes }: RaceReport): string =>
  alignTable([
    ['stop during', ...statuses],
    ...raceKinds.map((kind) => [kind, ...statuses.map((status) => String(outcomes[kind][status] ?? 0))]),
  ])

const printReport = (report: RaceReport): void => {
  for (const { guarantee, subject, text } of report.violations.slice(0, maxLines))
    print(`  ${guarantee} ${subject}: ${text}`)
  for (const anomaly of report.anomalies.slice(0, maxLines)) print(`  ${anomaly}`)
  print(`\n${formatTable(report)}\n`)
  const times = [0.5, 0.95, 1].map((share) => `${percentile(report.stopMs, share) ?? 0} ms`)
  print(`Stops were acknowledged within ${times[0]} (median), ${times[1]} (95%), ${times[2]} (slowest).`)
}

/** Runs `npm run chaos -- --stops N`. Resolves to true if every guarantee held. */
export const runStops = ({
  count,
  seed,
  workers,
  apis,
}: {
  count: number
  seed: number
  workers: number
  apis: number
}): Promise<boolean> =>
  withCluster({ workers, apis, log: print }, async (cluster, services) => {
    const startedAt = Date.now()
    const random = createRandom(seed).fork('victims')
    const { serverSecret } = cluster
    let killing: Promise<unknown> = Promise.resolve()
    // Workers are killed one after another, so that another worker is always available.
    const killNext = async () => {
      const { fault, recovered } = await killPart(cluster, 'worker', random.pick(cluster.workers()))
      await recovered
      return fault
    }
    const killWorker = () => {
      const next = killing.then(killNext)
      killing = next.catch(() => undefined)
      return next
    }
    const report = await runStopRaces({
      count,
      seed,
      environment: { apiUrls: () => cluster.apiUrls(), sources: cluster, serverSecret, services, killWorker },
      onBatch: ({ races, violations, anomalies }) =>
        print(
          `${races} of ${count} races in ${((Date.now() - startedAt) / 1000).toFixed(0)} s, ` +
            `${violations.length} violations, ${anomalies.length} anomalies`,
        ),
    })
    printReport(report)
    const errorLines = cluster.errorLines()
    for (const line of errorLines.slice(0, maxLines)) print(`  ${line}`)
    print(
      `Seed ${seed}: ${report.races} races, ${report.violations.length} violations, ` +
        `${report.anomalies.length} anomalies, ${errorLines.length} error log lines, ` +
        `${((Date.now() - startedAt) / 60_000).toFixed(1)} minutes.`,
    )
    return report.violations.length + report.anomalies.length + errorLines.length === 0
  })
