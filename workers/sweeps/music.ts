import type { SweeperDeps } from './runtime/deps.ts'
import type { Sweep } from './runtime/loop.ts'

export const musicSweeps: Sweep[] = [
  { name: 'delete renders that were taken', everySeconds: 3600, everywhere: true, run: deleteOldRenders },
]

/** Deletes old files of the embedded renderer, and files of unfinished writes to the store. */
async function deleteOldRenders({ sweepRenders, store, settings }: SweeperDeps): Promise<void> {
  const before = new Date(Date.now() - settings.blobExpiryHours * 60 * 60 * 1000)
  await sweepRenders(before)
  await store.sweep(before)
}
