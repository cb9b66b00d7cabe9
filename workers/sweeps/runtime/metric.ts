import { Runtime } from '@temporalio/worker'

/** Counts rows that a sweep failed on, in the worker's own /metrics. */
export function countSweepFailures(): (sweep: string) => void {
  const counter = Runtime.instance().metricMeter.createCounter(
    'backline_sweep_failures_total',
    undefined,
    'Failed attempts of a sweep to process a row, by sweep.',
  )
  return (sweep) => counter.add(1, { sweep })
}
