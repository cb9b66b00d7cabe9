import { bucketBounds, type RouteFigures } from '../../domain/operator/figures.ts'
import { isEventStream, type Route } from '../http/route.ts'
import type { Metrics } from './metrics.ts'

const windowMs = 5 * 60 * 1000
const sampleIntervalMs = 30_000
const maxRoutes = 100

type Totals = Map<string, RouteFigures>
type TotalsSample = { at: number; totals: Totals }

/** Creates a function that derives the routes' response times of the last five minutes from the cumulative histogram. */
export function createRouteTimes({ durations }: Pick<Metrics, 'durations'>, routes: readonly Route[]) {
  // Streams are excluded, because their duration depends on the reader.
  const excludedRoutes = new Set(routes.filter(isEventStream).map(formatRoute))
  const samples: TotalsSample[] = [{ at: performance.now(), totals: new Map() }]
  const readTotals = async (): Promise<Totals> => {
    const totals: Totals = new Map()
    for (const { labels, metricName, value } of (await durations.get()).values) {
      const { method = '', route = '', status } = labels
      const name = formatRoute({ method: String(method), path: String(route) })
      if (excludedRoutes.has(name)) continue
      const routeTotals = totals.get(name) ?? createFigures(String(method), String(route))
      totals.set(name, routeTotals)
      if (metricName?.endsWith('_sum')) routeTotals.seconds += value
      else if (metricName?.endsWith('_count')) {
        routeTotals.count += value
        if (Number(status) >= 500) routeTotals.failures += value
      } else {
        const { le } = labels as { le?: string | number }
        const bucket = le === '+Inf' ? bucketBounds.length : bucketBounds.indexOf(Number(le))
        routeTotals.buckets[bucket] = (routeTotals.buckets[bucket] ?? 0) + value
      }
    }
    return totals
  }
  return async (): Promise<{ routes: RouteFigures[]; sinceSeconds: number; requests: number }> => {
    const totals = await readTotals()
    const now = performance.now()
    const oldest = samples[0] ?? { at: now, totals }
    if (now - (samples.at(-1)?.at ?? 0) >= sampleIntervalMs) samples.push({ at: now, totals })
    while (samples.length > 1 && now - (samples[1]?.at ?? now) >= windowMs) samples.shift()
    const routes = [...totals]
      .map(([name, total]) => subtractFigures(total, oldest.totals.get(name)))
      .filter(({ count }) => count > 0)
      .toSorted((a, b) => b.seconds - a.seconds)
      .slice(0, maxRoutes)
    const requests = [...totals.values()].reduce((sum, { count }) => sum + count, 0)
    return { routes, requests, sinceSeconds: Math.round((now - oldest.at) / 1000) }
  }
}

function formatRoute({ method, path }: Pick<Route, 'path'> & { method: string }): string {
  return `${method} ${path}`
}

function createFigures(method: string, route: string): RouteFigures {
  return { method, route, count: 0, failures: 0, seconds: 0, buckets: bucketBounds.map(() => 0).concat(0) }
}

function subtractFigures(total: RouteFigures, earlier: RouteFigures | undefined): RouteFigures {
  if (earlier === undefined) return total
  return {
    ...total,
    count: total.count - earlier.count,
    failures: total.failures - earlier.failures,
    seconds: total.seconds - earlier.seconds,
    buckets: total.buckets.map((count, bucket) => count - (earlier.buckets[bucket] ?? 0)),
  }
}
