import { setTimeout as pause } from 'node:timers/promises'
import type { SweeperDeps } from './deps.ts'

/** A recurring search for work that was left behind. */
export type Sweep = {
  name: string
  /**
   * Seconds from the end of one round to the start of the next. Sweeps with the same interval run one after the other.
   */
  everySeconds: number
  /**
   * Runs in its own loop, because it calls a provider or reads every live run, and the sweeps that start runs must not
   * wait for it.
   */
  alone?: true
  run: (deps: SweeperDeps) => Promise<unknown>
}

/** Groups the sweeps that share a loop, in list order. */
export function groupByLoop(sweeps: readonly Sweep[]): Sweep[][] {
  const shared = new Map<number, Sweep[]>()
  for (const sweep of sweeps)
    if (!sweep.alone) shared.set(sweep.everySeconds, [...(shared.get(sweep.everySeconds) ?? []), sweep])
  return [...shared.values(), ...sweeps.filter(({ alone }) => alone).map((sweep) => [sweep])]
}

/**
 * Runs sweeps with the same interval one after the other, first immediately and then after each interval. Resolves
 * after the abort.
 */
export async function runSweeps(
  { deps, signal }: { deps: SweeperDeps; signal: AbortSignal },
  sweeps: readonly Sweep[],
): Promise<void> {
  const pauseMs = (sweeps[0]?.everySeconds ?? 0) * 1000
  while (!signal.aborted) {
    for (const { name, run } of sweeps) {
      if (signal.aborted) return
      try {
        await run(deps)
      } catch (error) {
        deps.log.warn({ err: error, sweep: name }, 'sweep failed; the next round tries again')
      }
    }
    await pause(pauseMs, undefined, { signal }).catch(() => {})
  }
}
