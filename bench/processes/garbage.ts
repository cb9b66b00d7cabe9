import { setTimeout as pause } from 'node:timers/promises'
import { pathInBench } from './child-process.ts'

/** Module that a process must import before it can collect garbage on request. */
export const garbageCollector = pathInBench('processes/collect-garbage.mjs')

/** Collects the garbage of a process three times, because a finalizer may release memory for the next collection. */
export async function collectGarbage(pid: number): Promise<void> {
  for (let pass = 0; pass < 3; pass++) {
    process.kill(pid, 'SIGUSR2')
    await pause(700)
  }
}
