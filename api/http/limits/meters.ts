/** Counts rejected requests by the limit that was exceeded. */
export type RefusalCounter = { inc(labels: { reason: string }): void }

/** Functions that read the current load of this process. */
type LoadReadings = Record<'requests' | 'receiving' | 'bodyBytes', () => number>

/** Counters and gauges that the limits report to. */
export type Meters = {
  refusals: RefusalCounter
  openStreams: { inc(): void; dec(): void }
  stuckReaders: { inc(): void }
  slowBodies: { inc(): void }
  /** Exposes the load, which is read on each scrape. Call it once. */
  exposeLoad(readings: LoadReadings): void
}
