/** Counters of a process over the seconds since its last report. */
export type ProcessFigures = {
  memoryBytes: number
  /** 1: one core. */
  processorShare: number
  eventLoopDelayMs: number
}

/** Of one route in the last minutes. `buckets` counts requests up to each bound of `bucketBounds`, and all at the end. */
export type RouteFigures = {
  method: string
  route: string
  count: number
  failures: number
  seconds: number
  buckets: number[]
}

/** Further state of a process. Fields that do not apply to the process are absent. */
export type WorkFigures = {
  openRequests?: number
  openStreams?: number
  requestsPerSecond?: number
  framesSentPerSecond?: number
  framesWrittenPerSecond?: number
  runningActivities?: number
  cachedWorkflows?: number
  routes?: RouteFigures[]
  routesSinceSeconds?: number
  /** Rows that sweeps failed on in the last hour, by sweep. */
  sweepFailures?: { name: string; count: number; lastAt: string }[]
  /** Payments that need an operator's attention, since the process started. */
  paymentAlerts?: { name: string; count: number }[]
}

export type Figures = ProcessFigures & WorkFigures

/** Seconds. */
export const bucketBounds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600]

/** A number that only grows, as what came each second since it was read last. */
export function createRate(now: () => number): (total: number) => number {
  let last: { total: number; at: number } | undefined
  return (total) => {
    const at = now()
    const before = last
    last = { total, at }
    if (before === undefined || at <= before.at) return 0
    return Math.max(0, (1000 * (total - before.total)) / (at - before.at))
  }
}

/** The same route of several processes as one. */
export function mergeRoutes(all: readonly RouteFigures[]): RouteFigures[] {
  const merged = new Map<string, RouteFigures>()
  for (const one of all) {
    const name = `${one.method} ${one.route}`
    const before = merged.get(name)
    merged.set(name, before === undefined ? one : addRoutes(before, one))
  }
  return [...merged.values()]
}

function addRoutes(a: RouteFigures, b: RouteFigures): RouteFigures {
  return {
    ...a,
    count: a.count + b.count,
    failures: a.failures + b.failures,
    seconds: a.seconds + b.seconds,
    buckets: a.buckets.map((count, place) => count + (b.buckets[place] ?? 0)),
  }
}

/** Computes a quantile of the response times in milliseconds, with the precision of the buckets. */
export function quantileMs({ count, buckets }: Pick<RouteFigures, 'count' | 'buckets'>, share: number): number {
  const wanted = share * count
  const place = buckets.findIndex((upTo) => upTo >= wanted)
  const [low, high] = [bucketBounds[place - 1] ?? 0, bucketBounds[place] ?? bucketBounds.at(-1) ?? 0]
  const [before, upTo] = [buckets[place - 1] ?? 0, buckets[place] ?? count]
  const part = upTo === before ? 1 : (wanted - before) / (upTo - before)
  return 1000 * (low + (high - low) * part)
}
