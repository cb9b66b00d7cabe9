import { createRate, type WorkFigures } from '../../domain/operator/figures.ts'
import type { Route } from '../http/route.ts'
import type { StreamHub } from '../streams/hub.ts'
import type { Metrics } from './metrics.ts'
import { createRouteTimes } from './route-times.ts'

/** Creates a function that reads the figures of an API process for its report, a row that it writes every few seconds. */
export function createApiFigures(
  metrics: Metrics,
  { routes, streams }: { routes: readonly Route[]; streams: Pick<StreamHub, 'size' | 'framesSent'> },
): () => Promise<WorkFigures> {
  const readTimes = createRouteTimes(metrics, routes)
  const requestRate = createRate(() => performance.now())
  const frameRate = createRate(() => performance.now())
  return async () => {
    const times = await readTimes()
    return {
      openRequests: await readValue(metrics, 'backline_requests'),
      openStreams: streams.size(),
      requestsPerSecond: requestRate(times.requests),
      framesSentPerSecond: frameRate(streams.framesSent()),
      routes: times.routes,
      routesSinceSeconds: times.sinceSeconds,
      paymentAlerts: (await metrics.paymentAlerts.get()).values.map(({ labels, value }) => ({
        name: String(labels.reason),
        count: value,
      })),
    }
  }
}

async function readValue({ registry }: Metrics, name: string): Promise<number> {
  const metric = await registry.getSingleMetric(name)?.get()
  return metric?.values[0]?.value ?? 0
}
