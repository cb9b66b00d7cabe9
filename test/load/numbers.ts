import { setTimeout as pause } from 'node:timers/promises'

/** Sum of a metric over all its labels; 0 if the metric is absent. */
export const readMetric = async (metricsUrl: string, name: string): Promise<number> => {
  const text = await (await fetch(metricsUrl)).text()
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
}

/** Looks again and again while the work is done. */
export const watching = async <T>(everyMs: number, look: () => Promise<void>, work: () => Promise<T>): Promise<T> => {
  const over = new AbortController()
  const looking = (async () => {
    while (!over.signal.aborted) {
      await look()
      await pause(everyMs)
    }
  })()
  try {
    return await work()
  } finally {
    over.abort()
    await looking
  }
}
