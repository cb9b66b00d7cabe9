import { setTimeout as pause } from 'node:timers/promises'
import type { LaunchedProcess } from './processes.ts'
import { readMessage, type Print } from '../say.ts'

export type Part<Name extends string = string> = {
  name: Name
  /** Starts a process and resolves when it is ready. Leaves no process behind if it rejects. */
  start(onLaunch: (launched: LaunchedProcess) => void): Promise<LaunchedProcess>
}

export type SupervisedPart = {
  /** Settles with the first start. Later starts are retried until they succeed. */
  ready: Promise<void>
  /** Stops the running process. The supervisor starts it again immediately. */
  restart(): Promise<void>
  /** Stops the part permanently, even while it is starting. */
  stop(): Promise<void>
}

const changedReason = 'has changed'
const recentMs = 60_000
/** Time after which a ready process counts as started successfully. */
const defaultSettledMs = 1000
const maxPauseMs = 10_000

/** Returns the milliseconds before the next start: 0 after the first death in a minute, then a pause that doubles. */
export function pauseAfter(recentDeaths: number): number {
  return recentDeaths <= 1 ? 0 : Math.min(250 * 2 ** (recentDeaths - 2), maxPauseMs)
}

/**
 * Starts the part. After a successful start, restarts it whenever it dies: immediately if it had run for `settledMs`, otherwise
 * after `pauseBetween` milliseconds.
 */
export function supervise(
  part: Part,
  onLaunch: (launched: LaunchedProcess) => void,
  print: Print,
  pauseBetween: (recentDeaths: number) => number = pauseAfter,
  settledMs = defaultSettledMs,
): SupervisedPart {
  const stopping = new AbortController()
  const isStopping = (): boolean => stopping.signal.aborted
  let deaths: number[] = []
  let current: LaunchedProcess | undefined
  let replacedProcess: LaunchedProcess | undefined

  const start = (): Promise<LaunchedProcess> =>
    part.start((launched) => {
      current = launched
      onLaunch(launched)
      if (isStopping()) void launched.stop()
    })

  /** Starts the part again until a start succeeds. Undefined if the supervisor is stopping. */
  const restartUntilReady = async (reason: string, wasSettled: boolean): Promise<LaunchedProcess | undefined> => {
    for (let [failure, isHealthy] = [reason, wasSettled]; ; isHealthy = false) {
      const now = Date.now()
      if (failure === changedReason) deaths = []
      else if (!isHealthy) deaths = [...deaths.filter((time) => now - time < recentMs), now]
      const pauseMs = isHealthy ? 0 : pauseBetween(deaths.length)
      print(`${part.name} ${failure}: restarting${pauseMs > 0 ? ` in ${pauseMs / 1000} s` : ''}.`)
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (isStopping()) return undefined
      try {
        const next = await start()
        print(`${part.name} was restarted.`)
        return next
      } catch (error) {
        if (isStopping()) return undefined
        failure = `did not start (${readMessage(error).split('\n')[0]})`
      }
    }
  }

  const keepRunning = async (first: LaunchedProcess): Promise<void> => {
    let running: LaunchedProcess | undefined = first
    while (running) {
      const readyAt = performance.now()
      const cause = await running.exited
      const wasSettled = performance.now() - readyAt >= settledMs
      if (isStopping()) return
      // Also kills the processes that the part has started.
      await running.stop()
      running = await restartUntilReady(running === replacedProcess ? changedReason : `died (${cause})`, wasSettled)
    }
  }

  const first = start()
  const supervision = first.then(keepRunning, () => {})
  return {
    ready: first.then(() => undefined),
    restart: async () => {
      replacedProcess = current
      await current?.stop()
    },
    stop: async () => {
      stopping.abort()
      await current?.stop()
      await supervision
    },
  }
}
