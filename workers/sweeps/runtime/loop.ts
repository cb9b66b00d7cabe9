import { setTimeout as pause } from 'node:timers/promises'
import type { SweeperDeps } from './deps.ts'
import type { Election } from './election.ts'

/** A periodic task that finds and repairs lost work. */
export type Sweep = {
  name: string
  /**
   * Seconds from the end of one round to the start of the next. Sweeps with the same interval run one after the other.
   */
  everySeconds: number
  /**
   * The sweep has its own loop, because it calls a provider or reads every live run and must not delay the sweeps that
   * start runs.
   */
  alone?: true
  /** The sweep runs in every worker and not once per fleet, because it concerns the disk or the sandboxes of the worker. */
  everywhere?: true
  run: (deps: SweeperDeps) => Promise<unknown>
}

/** Groups the sweeps that share a loop, in list order. */
export function groupByLoop(sweeps: readonly Sweep[]): Sweep[][] {
  const shared = new Map<string, Sweep[]>()
  for (const sweep of sweeps) {
    const group = `${sweep.everySeconds} ${sweep.everywhere === true}`
    if (!sweep.alone) shared.set(group, [...(shared.get(group) ?? []), sweep])
  }
  return [...shared.values(), ...sweeps.filter(({ alone }) => alone).map((sweep) => [sweep])]
}

/**
 * Runs sweeps with the same interval one after the other while this worker is elected, first immediately and then after
 * each interval. Resolves after the abort.
 */
export async function runSweeps(
  { deps, signal, election }: { deps: SweeperDeps; signal: AbortSignal; election: Pick<Election, 'untilElected'> },
  sweeps: readonly Sweep[],
): Promise<void> {
  const pauseMs = (sweeps[0]?.everySeconds ?? 0) * 1000
  const runsEverywhere = sweeps[0]?.everywhere === true
  while (!signal.aborted) {
    if (!runsEverywhere) await election.untilElected(signal)
    for (const { name, run } of sweeps) {
      if (signal.aborted) return
      try {
        await run(deps)
      } catch (error) {
        deps.log.warn({ err: error, sweep: name }, 'a sweep failed; the next round retries')
      }
    }
    await pause(pauseMs, undefined, { signal }).catch(() => {})
  }
}
