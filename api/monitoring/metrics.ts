import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { bucketBounds } from '../../domain/operator/figures.ts'
import type { DiskSpace } from '../../providers/disk-space.ts'
import type { Meters } from '../http/limits/meters.ts'

export type Metrics = {
  registry: Registry
  durations: Histogram<'method' | 'route' | 'status'>
  openStreams: Gauge
  stuckReaders: Counter
  slowBodies: Counter
  refusals: Counter<'reason'>
  paymentAlerts: Counter<'reason'>
  siteRequests: Counter<'route' | 'tool' | 'status'>
  siteSearches: Histogram<'outcome'>
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  const durations = new Histogram({
    name: 'backline_http_request_duration_seconds',
    help: 'Duration of HTTP requests until the end of the response, by route pattern.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: bucketBounds,
    registers: [registry],
  })
  const openStreams = new Gauge({
    name: 'backline_open_streams',
    help: 'Open event streams.',
    registers: [registry],
  })
  const stuckReaders = new Counter({
    name: 'backline_stuck_readers_total',
    help: 'Responses closed because the client stopped reading.',
    registers: [registry],
  })
  const slowBodies = new Counter({
    name: 'backline_slow_bodies_total',
    help: 'Requests aborted because their body did not arrive in time.',
    registers: [registry],
  })
  const refusals = new Counter({
    name: 'backline_refusals_total',
    help:
      "Rejected requests and connections, by exceeded limit: of the process (503) or of an account's or address's share " +
      '(429).',
    labelNames: ['reason'] as const,
    registers: [registry],
  })
  const paymentAlerts = new Counter({
    name: 'backline_payment_alerts_total',
    help: 'Payments, refunds and disputes that require an operator, by reason.',
    labelNames: ['reason'] as const,
    registers: [registry],
  })
  const siteRequests = new Counter({
    name: 'backline_site_requests_total',
    help: 'Requests to the public site and its tools, over any interface.',
    labelNames: ['route', 'tool', 'status'] as const,
    registers: [registry],
  })
  const siteSearches = new Histogram({
    name: 'backline_site_search_seconds',
    help: 'Duration of searches of the public content, by whether there was a result.',
    labelNames: ['outcome'] as const,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1],
    registers: [registry],
  })
  return {
    registry,
    durations,
    openStreams,
    stuckReaders,
    slowBodies,
    refusals,
    paymentAlerts,
    siteRequests,
    siteSearches,
  }
}

const createGauge = (registry: Registry, name: string, help: string, read: () => number): Gauge =>
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read())
    },
  })

/** Connects the limits of the HTTP layer to the metrics. */
export function createMeters({ registry, refusals, openStreams, stuckReaders, slowBodies }: Metrics): Meters {
  return {
    refusals,
    openStreams,
    stuckReaders,
    slowBodies,
    exposeLoad: ({ requests, receiving, bodyBytes }) => {
      createGauge(registry, 'backline_requests', 'Requests in progress.', requests)
      createGauge(registry, 'backline_receiving', 'Requests whose body is still being received.', receiving)
      createGauge(registry, 'backline_request_body_bytes', 'Bytes of request bodies held in memory.', bodyBytes)
    },
  }
}

type LastCheck = { differences: number; finishedAt: Date }

/** Exports the result of the last ledger check. A scrape does not wait for the database and may see the previous value. */
export function exportLedgerCheck({ registry }: Metrics, find: () => Promise<LastCheck | undefined>): void {
  let last: LastCheck | undefined
  const refresh = (): void => {
    find().then(
      (check) => (last = check),
      () => {},
    )
  }
  createGauge(
    registry,
    'backline_ledger_differences',
    'Accounts whose balance differed from the sum of their ledger entries at the last check.',
    () => {
      refresh()
      return last?.differences ?? 0
    },
  )
  createGauge(
    registry,
    'backline_ledger_check_timestamp_seconds',
    'Unix time of the last comparison of all balances with their ledgers; 0 if unknown.',
    () => (last?.finishedAt.getTime() ?? 0) / 1000,
  )
}

/** Exports the free space of the disk and its reserve. A scrape may see the previous value. */
export function exportDiskSpace({ registry }: Metrics, disk: DiskSpace): void {
  let freeBytes = Number.NaN
  const refresh = (): void => {
    disk.freeBytes().then(
      (found) => (freeBytes = found),
      () => (freeBytes = Number.NaN),
    )
  }
  refresh()
  createGauge(registry, 'backline_disk_free_bytes', 'Free space of the disk of DATA_DIR.', () => {
    refresh()
    return freeBytes
  })
  createGauge(
    registry,
    'backline_disk_reserve_bytes',
    'Free space below which uploads, pushes, snapshots and new sandboxes are rejected.',
    () => disk.reserveBytes,
  )
}

/** Exports the number of runs that need an operator. A scrape does not wait for the database and may see the previous value. */
export const exportRunAlerts = (
  { registry }: Metrics,
  count: () => Promise<readonly { reason: string; count: number }[]>,
): void => {
  let last: readonly { reason: string; count: number }[] = []
  const alerts = new Gauge({
    name: 'backline_run_alerts',
    help: 'Runs that were not charged or were terminated, and that an operator has not settled yet.',
    labelNames: ['reason'] as const,
    registers: [],
    collect() {
      count().then(
        (counted) => (last = counted),
        () => {},
      )
      this.reset()
      for (const { reason, count } of last) this.set({ reason }, count)
    },
  })
  registry.registerMetric(alerts)
}

/** Adds the process metrics. Call once per process. */
export function collectProcessMetrics({ registry }: Metrics): void {
  return collectDefaultMetrics({ register: registry })
}
