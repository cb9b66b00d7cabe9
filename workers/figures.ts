import type { Worker } from '@temporalio/worker'
import type { Batches } from '../activities/chat/batches.ts'
import type { StreamWriter } from '../db/log/writer.ts'
import { createRate, type WorkFigures } from '../domain/operator/figures.ts'

const hourMs = 60 * 60 * 1000

/** Returns a function that reads the metrics of a worker process for its report, which is stored every few seconds. */
export function createWorkerFigures(parts: {
  workers: readonly Pick<Worker, 'getStatus'>[]
  writer: Pick<StreamWriter, 'framesWritten'>
  batches: Pick<Batches, 'freeHeadStarts'>
  sweeps: Pick<SweepFailures, 'list'>
}): () => Promise<WorkFigures> {
  const frameRate = createRate(() => performance.now())
  return async () => {
    const states = parts.workers.map((worker) => worker.getStatus())
    return {
      framesWrittenPerSecond: frameRate(parts.writer.framesWritten()),
      runningActivities: states.reduce((sum, { numInFlightActivities }) => sum + numInFlightActivities, 0),
      cachedWorkflows: states.reduce((sum, { numCachedWorkflows }) => sum + numCachedWorkflows, 0),
      freeHeadStarts: parts.batches.freeHeadStarts(),
      sweepFailures: parts.sweeps.list(),
    }
  }
}

export type SweepFailures = { count(sweep: string): void; list(): NonNullable<WorkFigures['sweepFailures']> }

/** Records the sweep failures of the last hour and passes each failure to `count`. */
export function recordSweepFailures(count: (sweep: string) => void): SweepFailures {
  const failures = new Map<string, number[]>()
  return {
    count: (sweep) => {
      count(sweep)
      failures.set(sweep, [...(failures.get(sweep) ?? []), Date.now()].slice(-maxFailures))
    },
    list: () =>
      [...failures].flatMap(([name, times]) => {
        const recent = times.filter((time) => time > Date.now() - hourMs)
        const last = recent.at(-1)
        return last === undefined ? [] : [{ name, count: recent.length, lastAt: new Date(last).toISOString() }]
      }),
  }
}

const maxFailures = 10_000
