import { setTimeout as pause } from 'node:timers/promises'

/** Returns the sum of a metric over all its labels, or 0 if the metric is absent. */
export const readMetric = async (metricsUrl: string, name: string): Promise<number> => {
  const text = await (await fetch(metricsUrl)).text()
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
}

/** Calls `sample` repeatedly until `work` has ended. */
export const sampleDuring = async <T>(
  everyMs: number,
  sample: () => Promise<void>,
  work: () => Promise<T>,
): Promise<T> => {
  const workEnded = new AbortController()
  const sampling = (async () => {
    while (!workEnded.signal.aborted) {
      await sample()
      await pause(everyMs)
    }
  })()
  try {
    return await work()
  } finally {
    workEnded.abort()
    await sampling
  }
}
