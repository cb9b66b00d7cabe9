import { setTimeout as pause } from 'node:timers/promises'
import { isRunning, readProcessMark, waitFor, type LaunchedProcess } from '../../../dev/processes/processes.ts'
import type { Print } from '../../../dev/say.ts'
import { supervise } from '../../../dev/processes/supervise.ts'

/** End of a process. `how` is `signal SIGKILL` or `exit code 0`, for example. */
export type End = { pid: number; at: number; how: string; isGone: boolean }

/** A part of a cluster that is restarted whenever it ends. */
export type Member = {
  /** Settles with the outcome of the first start. */
  ready: Promise<void>
  pid(): number | undefined
  /** Time since which the part is ready. Undefined while it is not running or is starting. */
  readySince(): number | undefined
  /** Number of times that the part became ready. */
  countStarts(): number
  untilReady(timeoutMs: number): Promise<void>
  /** Signals the process and waits for its end. */
  end(signal: NodeJS.Signals): Promise<End>
  signal(signal: NodeJS.Signals): number
  /** Prevents the next start until it is released. */
  hold(): void
  release(): void
  stop(): Promise<void>
}

export type Start = (onLaunch: (launched: LaunchedProcess) => void) => Promise<LaunchedProcess>

// Without a pause, a crash loop would take the CPU time of the other parts.
const pauseBetweenStarts = (recentDeaths: number): number => (recentDeaths <= 1 ? 0 : 100)
const endTimeoutMs = 60_000

export const keepAlive = (name: string, start: Start, say: Print): Member => {
  let current: LaunchedProcess | undefined
  let readySince: number | undefined
  let startCount = 0
  let held = false
  let stopping = false

  const startWhenFree: Start = async (onLaunch) => {
    await waitFor(() => !held || stopping, Infinity, 20)
    if (stopping) throw new Error('the cluster is closing')
    const launched = await start((launched) => {
      current = launched
      onLaunch(launched)
      const markDead = (): void => {
        if (current === launched) current = readySince = undefined
      }
      void launched.exited.then(markDead)
    })
    if (current === launched || current?.pid === launched.pid) {
      readySince = Date.now()
      startCount++
    }
    return launched
  }

  const supervised = supervise({ name, start: startWhenFree }, () => {}, say, pauseBetweenStarts)

  const requireLive = (): LaunchedProcess => {
    if (current === undefined) throw new Error(`${name} is not running`)
    return current
  }

  return {
    ready: supervised.ready,
    pid: () => current?.pid,
    readySince: () => readySince,
    countStarts: () => startCount,
    untilReady: async (timeoutMs) => {
      await waitFor(() => stopping || readySince !== undefined, timeoutMs, 20)
      if (readySince === undefined) throw new Error(`${name} is not ready after ${timeoutMs} ms`)
    },
    signal: (signal) => {
      const { pid } = requireLive()
      process.kill(pid, signal)
      return pid
    },
    end: async (signal) => {
      const victim = requireLive()
      const mark = readProcessMark(victim.pid)
      const at = Date.now()
      process.kill(victim.pid, signal)
      const how = await Promise.race([victim.exited, pause(endTimeoutMs, 'still running', { ref: false })])
      return { pid: victim.pid, at, how, isGone: mark !== undefined && !isRunning(mark) }
    },
    hold: () => {
      held = true
    },
    release: () => {
      held = false
    },
    stop: async () => {
      stopping = true
      await supervised.stop()
    },
  }
}
