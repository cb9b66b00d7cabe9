/** Measurements of a process since its last report. */
export type ProcessFigures = {
  memoryBytes: number
  /** Share of one core; 1 is a full core. */
  processorShare: number
  eventLoopDelayMs: number
}

/** Metrics of a route in the last minutes. `buckets`: number of requests up to each of the `bucketBounds`, then of all. */
export type RouteFigures = {
  method: string
  route: string
  count: number
  failures: number
  seconds: number
  buckets: number[]
}

/** Metrics of the work of a process. Fields that do not apply to the process are absent. */
export type WorkFigures = {
  openRequests?: number
  openStreams?: number
  requestsPerSecond?: number
  framesSentPerSecond?: number
  framesWrittenPerSecond?: number
  runningActivities?: number
  cachedWorkflows?: number
  /** Turns that a worker can begin before Temporal schedules them; 0 while it shuts down. */
  freeHeadStarts?: number
  routes?: RouteFigures[]
  routesSinceSeconds?: number
  /** Rows on which sweeps failed in the last hour, by sweep. */
  sweepFailures?: { name: string; count: number; lastAt: string }[]
  /** Payments that need an operator's attention, since the process started. */
  paymentAlerts?: { name: string; count: number }[]
}

export type Figures = ProcessFigures & WorkFigures

/** Upper bounds of the buckets, in seconds. */
export const bucketBounds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600]

/** Returns a function that converts a growing total to its increase per second since the last call. */
export function createRate(now: () => number): (total: number) => number {
  let last: { total: number; at: number } | undefined
  return (total) => {
    const at = now()
    const previous = last
    last = { total, at }
    if (previous === undefined || at <= previous.at) return 0
    return Math.max(0, (1000 * (total - previous.total)) / (at - previous.at))
  }
}

/** Merges the metrics of the same route in several processes. */
export function mergeRoutes(routes: readonly RouteFigures[]): RouteFigures[] {
  const merged = new Map<string, RouteFigures>()
  for (const route of routes) {
    const name = `${route.method} ${route.route}`
    const previous = merged.get(name)
    merged.set(name, previous === undefined ? route : addRoutes(previous, route))
  }
  return [...merged.values()]
}

function addRoutes(a: RouteFigures, b: RouteFigures): RouteFigures {
  return {
    ...a,
    count: a.count + b.count,
    failures: a.failures + b.failures,
    seconds: a.seconds + b.seconds,
    buckets: a.buckets.map((count, index) => count + (b.buckets[index] ?? 0)),
  }
}

/** Computes a quantile of the response times in milliseconds, with the precision of the buckets. */
export function quantileMs({ count, buckets }: Pick<RouteFigures, 'count' | 'buckets'>, share: number): number {
  const targetCount = share * count
  const index = buckets.findIndex((bucketCount) => bucketCount >= targetCount)
  const [low, high] = [bucketBounds[index - 1] ?? 0, bucketBounds[index] ?? bucketBounds.at(-1) ?? 0]
  const [lowCount, highCount] = [buckets[index - 1] ?? 0, buckets[index] ?? count]
  const fraction = highCount === lowCount ? 1 : (targetCount - lowCount) / (highCount - lowCount)
  return 1000 * (low + (high - low) * fraction)
}
