import { Runtime } from '@temporalio/worker'

/** Returns a function that counts rows that a sweep failed to process, in the metrics of the worker. */
export function countSweepFailures(): (sweep: string) => void {
  const counter = Runtime.instance().metricMeter.createCounter(
    'backline_sweep_failures_total',
    undefined,
    'Failed attempts of a sweep to process a row, by sweep.',
  )
  return (sweep) => counter.add(1, { sweep })
}
