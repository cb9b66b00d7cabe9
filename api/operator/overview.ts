import { findLastCheck } from '../../db/credits/checks.ts'
import { listQueueDepths, listRunAlertsByReason } from '../../db/operator/queues.ts'
import { reportHours, listReports, type Report } from '../../db/operator/reports.ts'
import { countLostAttempts } from '../../db/runs/timeline.ts'
import { mergeRoutes, quantileMs, type Figures } from '../../domain/operator/figures.ts'
import { processSchema, type Overview } from '../../domain/operator/overview.ts'
import { createChecks } from '../monitoring/health.ts'
import type { DiskSpace } from '../../providers/disk-space.ts'
import type { WorkDeps } from '../deps.ts'
import { toWire } from '../../domain/wire.ts'

/** `disk`: the disk that holds DATA_DIR. */
export type OperatorDeps = WorkDeps & { disk: DiskSpace }

type Process = Overview['processes'][number]

const engineTimeoutMs = 2000
/** A live process is silent if it has not reported for this time. */
const silentSeconds = 20
/**
 * A process that does not hold its lock is lost if it has not reported for this time. Processes report every five seconds.
 */
const lostSeconds = 6
const maxRoutes = 20
/** Figures of the work of a process that does none. */
const noWork = {
  openRequests: 0,
  openStreams: 0,
  requestsPerSecond: 0,
  framesSentPerSecond: 0,
  framesWrittenPerSecond: 0,
  runningActivities: 0,
  cachedWorkflows: 0,
}

/** Creates a function that reads the state of the deployment from its dependencies and the reports of all processes. */
export function createOverview(deps: OperatorDeps): () => Promise<Overview> {
  const { db, engine } = deps
  const checks = createChecks(deps)
  return async () => {
    const [postgres, migrations, temporal] = await Promise.all([
      checks.postgres(),
      checks.migrations(),
      checks.temporal(),
    ])
    const [reports, queues, runAlerts, attempts, ledger, taskQueues, freeBytes] = await Promise.all([
      listReports(db),
      listQueueDepths(db),
      listRunAlertsByReason(db),
      countLostAttempts(db, reportHours),
      findLastCheck(db),
      engine.describeTaskQueues(engineTimeoutMs).catch(() => null),
      deps.disk.freeBytes().catch(() => null),
    ])
    const processes = reports.map(toProcess)
    const liveFigures = reports.filter((_, index) => processes[index]?.state === 'alive').map(({ figures }) => figures)
    return {
      at: new Date().toISOString(),
      health: { postgres, migrations, temporal, disk: { freeBytes, reserveBytes: deps.disk.reserveBytes } },
      queues,
      taskQueues,
      totals: sumTotals(processes.filter(({ state }) => state === 'alive')),
      processes,
      lost: { processes: processes.filter(({ state }) => state === 'lost').length, attempts, sinceHours: reportHours },
      alerts: [
        ...sweepAlerts(liveFigures),
        ...runAlerts.map(({ lastAt, ...alert }) => ({ kind: 'run' as const, ...alert, lastAt: lastAt.toISOString() })),
        ...ledgerAlerts(ledger),
        ...paymentAlerts(liveFigures),
      ],
      slowestRoutes: listSlowestRoutes(liveFigures),
      routesSinceSeconds: Math.max(0, ...liveFigures.map(({ routesSinceSeconds = 0 }) => routesSinceSeconds)),
    }
  }
}

function classifyState({ ageSeconds, isHeld }: Report): Process['state'] {
  if (!isHeld && ageSeconds > lostSeconds) return 'lost'
  return ageSeconds > silentSeconds ? 'silent' : 'alive'
}

function toProcess(report: Report): Process {
  const { figures, processId } = report
  return toWire(processSchema, {
    ...noWork,
    ...figures,
    ...report,
    id: String(processId),
    state: classifyState(report),
  })
}

function sumTotals(processes: readonly Process[]): Overview['totals'] {
  const count = (part: Process['part']): number => processes.filter((process) => process.part === part).length
  const { cachedWorkflows: _, ...totals } = { ...noWork }
  for (const process of processes)
    for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += process[name]
  return { apisAlive: count('api'), workersAlive: count('worker'), ...totals }
}

type Alert = Overview['alerts'][number]

/** Returns one alert per failing sweep. Every worker runs all sweeps, so the failures are summed across the workers. */
function sweepAlerts(liveFigures: readonly Figures[]): Alert[] {
  const failures = new Map<string, { count: number; lastAt: string }>()
  for (const { name, count, lastAt } of liveFigures.flatMap(({ sweepFailures = [] }) => sweepFailures)) {
    const previous = failures.get(name) ?? { count: 0, lastAt }
    failures.set(name, { count: previous.count + count, lastAt: previous.lastAt > lastAt ? previous.lastAt : lastAt })
  }
  return [...failures].map(([name, { count, lastAt }]) => ({ kind: 'sweep', name, count, lastAt }))
}

function ledgerAlerts(check: Awaited<ReturnType<typeof findLastCheck>>): Alert[] {
  if (check === undefined || check.differences === 0) return []
  const { differences: count, finishedAt } = check
  return [{ kind: 'ledger', name: 'differences', count, lastAt: finishedAt.toISOString() }]
}

function paymentAlerts(liveFigures: readonly Figures[]): Alert[] {
  const counts = new Map<string, number>()
  for (const { name, count } of liveFigures.flatMap(({ paymentAlerts: alerts = [] }) => alerts))
    counts.set(name, (counts.get(name) ?? 0) + count)
  return [...counts].map(([name, count]) => ({ kind: 'payment', name, count, lastAt: null }))
}

function listSlowestRoutes(liveFigures: readonly Figures[]): Overview['slowestRoutes'] {
  return mergeRoutes(liveFigures.flatMap(({ routes = [] }) => routes))
    .map((route) => ({
      method: route.method,
      route: route.route,
      count: route.count,
      failures: route.failures,
      meanMs: (1000 * route.seconds) / route.count,
      p95Ms: quantileMs(route, 0.95),
    }))
    .toSorted((a, b) => b.p95Ms - a.p95Ms)
    .slice(0, maxRoutes)
}
