import { setTimeout as pause } from 'node:timers/promises'
import type { SweeperDeps } from './deps.ts'

/** Something left behind that is looked for again and again. */
export type Sweep = {
  name: string
  /** Seconds from the end of one round to the next; sweeps with the same pause run one after the other. */
  everySeconds: number
  /** In a loop of its own: it asks a provider or looks at every live run, and what starts runs does not wait for it. */
  alone?: true
  run: (deps: SweeperDeps) => Promise<unknown>
}

/** The sweeps that share a loop, in the order of the list. */
export function groupByLoop(sweeps: readonly Sweep[]): Sweep[][] {
  const shared = new Map<number, Sweep[]>()
  for (const sweep of sweeps)
    if (!sweep.alone) shared.set(sweep.everySeconds, [...(shared.get(sweep.everySeconds) ?? []), sweep])
  return [...shared.values(), ...sweeps.filter(({ alone }) => alone).map((sweep) => [sweep])]
}

/** Runs sweeps of one pause one after the other, at once and then again after each pause. Resolves after the abort. */
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
