import { setTimeout as pause } from 'node:timers/promises'
import { isRunning, readProcessMark, waitFor, type LaunchedProcess } from '../../../dev/processes/processes.ts'
import type { Print } from '../../../dev/say.ts'
import { supervise } from '../../../dev/processes/supervise.ts'

/** How a process ended: `signal SIGKILL` or `exit code 0`. */
export type End = { pid: number; at: number; how: string; gone: boolean }

/** One part of a cluster that is kept alive, whatever happens to it. */
export type Member = {
  /** Settles with the outcome of the first start. */
  ready: Promise<void>
  pid(): number | undefined
  /** The time since which it works; undefined while it is dead or starting. */
  wholeSince(): number | undefined
  /** How many times it became ready. */
  lives(): number
  awaitWhole(deadlineMs: number): Promise<void>
  /** Signals the process and waits for its end. */
  end(signal: NodeJS.Signals): Promise<End>
  signal(signal: NodeJS.Signals): number
  /** Prevents the next start until it is released. */
  hold(): void
  release(): void
  stop(): Promise<void>
}

export type Start = (onLaunch: (launched: LaunchedProcess) => void) => Promise<LaunchedProcess>

// Some tests require a crash loop, but a busy one would take the CPU from the other parts.
const pauseBetweenStarts = (recentDeaths: number): number => (recentDeaths <= 1 ? 0 : 100)
const endMs = 60_000

export const keepAlive = (name: string, start: Start, say: Print): Member => {
  let current: LaunchedProcess | undefined
  let wholeSince: number | undefined
  let lives = 0
  let held = false
  let stopping = false

  const startWhenFree: Start = async (onLaunch) => {
    await waitFor(() => !held || stopping, Infinity, 20)
    if (stopping) throw new Error('it is no longer needed')
    const launched = await start((launched) => {
      current = launched
      onLaunch(launched)
      const markDead = (): void => {
        if (current === launched) current = wholeSince = undefined
      }
      void launched.exited.then(markDead)
    })
    if (current === launched || current?.pid === launched.pid) {
      wholeSince = Date.now()
      lives++
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
    wholeSince: () => wholeSince,
    lives: () => lives,
    awaitWhole: async (deadlineMs) => {
      await waitFor(() => stopping || wholeSince !== undefined, deadlineMs, 20)
      if (wholeSince === undefined) throw new Error(`${name} is not whole after ${deadlineMs} ms`)
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
      const how = await Promise.race([victim.exited, pause(endMs, 'still running', { ref: false })])
      return { pid: victim.pid, at, how, gone: mark !== undefined && !isRunning(mark) }
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
