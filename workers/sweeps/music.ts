import { failGeneration, listGenerationsLeftBehind } from '../../db/music/generations.ts'
import { cancelLeftRender } from './runtime/left-renders.ts'
import type { SweeperDeps } from './runtime/deps.ts'
import type { Sweep } from './runtime/loop.ts'

export const musicSweeps: Sweep[] = [
  { name: 'end music generations left behind', everySeconds: 5, run: endLeftBehind },
  { name: 'delete renders that were taken', everySeconds: 3600, run: deleteOldRenders },
]

/** Fails generations whose background run was lost or terminated. */
function endLeftBehind(deps: Pick<SweeperDeps, 'db' | 'render' | 'log' | 'eachRow'>): Promise<void> {
  const { db, log, eachRow } = deps
  return eachRow(
    'end music generations left behind',
    (page) => listGenerationsLeftBehind(db, page),
    async (generation) => {
      await db.begin((tx) => failGeneration(tx, generation, 'rendering'))
      log.info({ generationId: generation.id }, 'ended a music generation whose run had ended')
      await cancelLeftRender(deps, generation)
    },
  )
}

/** Deletes old files of the embedded renderer and remains of unfinished writes to the store. */
async function deleteOldRenders({ sweepRenders, store, settings }: SweeperDeps): Promise<void> {
  const before = new Date(Date.now() - settings.blobExpiryHours * 60 * 60 * 1000)
  await sweepRenders(before)
  await store.sweep(before)
}
