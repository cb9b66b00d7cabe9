import { setTimeout as pause } from 'node:timers/promises'
import type { Launched } from './processes.ts'
import { readMessage, type Print } from '../say.ts'

export type Part<Name extends string = string> = {
  name: Name
  /** Resolves when the part is ready to work; leaves nothing behind when it rejects. Tells of each process as it begins. */
  start(onLaunch: (launched: Launched) => void): Promise<Launched>
}

export type Supervised = {
  /** The outcome of the first start; later ones are repeated until they succeed. */
  ready: Promise<void>
  /** Ends the running process of the part, which is started again immediately. */
  restart(): Promise<void>
  /** Ends the part for good, also while it is starting. */
  stop(): Promise<void>
}

const changed = 'has changed'
const recentMs = 60_000
/** Whatever was ready for so long was at work, and does not die of its start. */
const usualSettledMs = 1000
const longestPauseMs = 10_000

/** At once after the first death of a start in a minute, later after a pause that doubles. */
export function pauseAfter(recentDeaths: number): number {
  return recentDeaths <= 1 ? 0 : Math.min(250 * 2 ** (recentDeaths - 2), longestPauseMs)
}

/**
 * Starts the part, and after a good start starts it again whenever it dies: immediately when it had been at work, and after a
 * pause in milliseconds when it dies of its start again and again.
 */
export function supervise(
  part: Part,
  onLaunch: (launched: Launched) => void,
  print: Print,
  pauseBetween: (recentDeaths: number) => number = pauseAfter,
  settledMs = usualSettledMs,
): Supervised {
  const stopping = new AbortController()
  const isStopping = (): boolean => stopping.signal.aborted
  let deaths: number[] = []
  let current: Launched | undefined
  let replaced: Launched | undefined

  const start = (): Promise<Launched> =>
    part.start((launched) => {
      current = launched
      onLaunch(launched)
      if (isStopping()) void launched.stop()
    })

  /** Restarts the process until it succeeds. Undefined if the supervisor is stopping. */
  const revive = async (reason: string, wasAtWork: boolean): Promise<Launched | undefined> => {
    for (let [why, isHealthy] = [reason, wasAtWork]; ; isHealthy = false) {
      const now = Date.now()
      if (why === changed) deaths = []
      else if (!isHealthy) deaths = [...deaths.filter((time) => now - time < recentMs), now]
      const pauseMs = isHealthy ? 0 : pauseBetween(deaths.length)
      print(`${part.name} ${why}: starting it again${pauseMs > 0 ? ` in ${pauseMs / 1000} s` : ''}.`)
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (isStopping()) return undefined
      try {
        const next = await start()
        print(`${part.name} is back.`)
        return next
      } catch (error) {
        if (isStopping()) return undefined
        why = `did not start (${readMessage(error).split('\n')[0]})`
      }
    }
  }

  const keep = async (first: Launched): Promise<void> => {
    let running: Launched | undefined = first
    while (running) {
      const readyAt = performance.now()
      const how = await running.exited
      const wasAtWork = performance.now() - readyAt >= settledMs
      if (isStopping()) return
      // Whatever it had started goes with it.
      await running.stop()
      running = await revive(running === replaced ? changed : `died (${how})`, wasAtWork)
    }
  }

  const first = start()
  const kept = first.then(keep, () => {})
  return {
    ready: first.then(() => undefined),
    restart: async () => {
      replaced = current
      await current?.stop()
    },
    stop: async () => {
      stopping.abort()
      await current?.stop()
      await kept
    },
  }
}
