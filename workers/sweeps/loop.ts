import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'

/** Something left behind that is looked for again and again. */
export type Sweep = { name: string; run: () => Promise<unknown> }

type LoopDeps = { log: Logger; signal: AbortSignal }

/** Runs the sweeps one after the other, at once and then so many seconds after the last one. Resolves after the abort. */
export const runSweeps = async (
  { log, signal }: LoopDeps,
  everySeconds: number,
  sweeps: readonly Sweep[],
): Promise<void> => {
  while (!signal.aborted) {
    for (const { name, run } of sweeps) {
      if (signal.aborted) return
      try {
        await run()
      } catch (error) {
        log.warn({ err: error, sweep: name }, 'sweep failed; the next round tries again')
      }
    }
    await pause(everySeconds * 1000, undefined, { signal }).catch(() => {})
  }
}
