import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { bucketBounds } from '../../domain/operator/figures.ts'
import type { DiskSpace } from '../../providers/disk-space.ts'
import type { Meters } from '../http/limits/meters.ts'

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const createCounter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers })
  return {
    registry,
    durations: new Histogram({
      name: 'backline_http_request_duration_seconds',
      help: 'Duration of HTTP requests until the end of the response, by route pattern.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: bucketBounds,
      registers,
    }),
    openStreams: new Gauge({ name: 'backline_open_streams', help: 'Open event streams.', registers }),
    stuckReaders: createCounter('backline_stuck_readers_total', 'Responses closed because the client stopped reading.'),
    slowBodies: createCounter(
      'backline_slow_bodies_total',
      'Requests aborted because their body did not arrive in time.',
    ),
    refusals: createCounter(
      'backline_refusals_total',
      "Rejected requests and connections, by exceeded limit: of the process (503) or of an account's or address's share " +
        '(429).',
      'reason',
    ),
    paymentAlerts: createCounter(
      'backline_payment_alerts_total',
      'Payments, refunds and disputes that require an operator, by reason.',
      'reason',
    ),
    siteRequests: createCounter(
      'backline_site_requests_total',
      'Requests to the public site and its tools, over any interface.',
      'route',
      'tool',
      'status',
    ),
    siteSearches: new Histogram({
      name: 'backline_site_search_seconds',
      help: 'Duration of searches of the public content, by whether there was a result.',
      labelNames: ['outcome'] as const,
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1],
      registers,
    }),
  }
}

function createGauge(registry: Registry, name: string, help: string, read: () => number): Gauge {
  return new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read())
    },
  })
}

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

/** Returns a function that starts to read a value and returns the previous one, so that a scrape does not wait for it. */
function createLateReader<T>(read: () => Promise<T>, initial: T): () => T {
  let last = initial
  return () => {
    read().then(
      (value) => (last = value),
      () => {},
    )
    return last
  }
}

type LastCheck = { differences: number; finishedAt: Date }

/** Exports the result of the last ledger check. A scrape may see the previous value. */
export function exportLedgerCheck({ registry }: Metrics, find: () => Promise<LastCheck | undefined>): void {
  const readCheck = createLateReader(find, undefined)
  let last: LastCheck | undefined
  createGauge(
    registry,
    'backline_ledger_differences',
    'Accounts whose balance differed from the sum of their ledger entries at the last check.',
    () => {
      last = readCheck()
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
  const readFreeBytes = createLateReader(() => disk.freeBytes().catch(() => Number.NaN), Number.NaN)
  readFreeBytes()
  createGauge(registry, 'backline_disk_free_bytes', 'Free space of the disk of DATA_DIR.', readFreeBytes)
  createGauge(
    registry,
    'backline_disk_reserve_bytes',
    'Free space below which uploads, pushes, snapshots and new sandboxes are rejected.',
    () => disk.reserveBytes,
  )
}

type RunAlerts = readonly { reason: string; count: number }[]

/** Exports the number of runs that need an operator. A scrape may see the previous value. */
export function exportRunAlerts({ registry }: Metrics, count: () => Promise<RunAlerts>): void {
  const readAlerts = createLateReader(count, [])
  const alerts = new Gauge({
    name: 'backline_run_alerts',
    help: 'Runs that were not charged or were terminated, and that an operator has not settled yet.',
    labelNames: ['reason'] as const,
    registers: [],
    collect() {
      this.reset()
      for (const { reason, count } of readAlerts()) this.set({ reason }, count)
    },
  })
  registry.registerMetric(alerts)
}

/** Adds the process metrics. Call once per process. */
export function collectProcessMetrics({ registry }: Metrics): void {
  return collectDefaultMetrics({ register: registry })
}
