import { setTimeout as pause } from 'node:timers/promises'

/** One number of an API's /metrics, all labels together; 0 when it is not there. */
export const readMetric = async (baseUrl: string, name: string): Promise<number> => {
  const text = await (await fetch(`${baseUrl}/metrics`)).text()
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
