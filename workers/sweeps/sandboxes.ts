import { listOverdue } from '../../db/sandboxes/lifecycle.ts'
import { deletePack, listUnusedPacks } from '../../db/sandboxes/checkpoints.ts'
import { listRemovals } from '../../db/sandboxes/removals.ts'
import { listUnstopped, releaseRestoring } from '../../db/sandboxes/sandboxes.ts'
import type { Engine } from '../../engine/client.ts'
import { removeSandbox, stopSandbox, watchSandbox } from '../../workflows/sandboxes/messages.ts'
import type { SweeperDeps } from './runtime/deps.ts'
import type { Sweep } from './runtime/loop.ts'

export const sandboxSweeps: Sweep[] = [
  { name: 'release lost starts', everySeconds: 60, run: ({ db }) => releaseRestoring(db) },
  { name: 'stop archived sandboxes', everySeconds: 60, run: stopArchived },
  { name: 'remove deleted sandboxes', everySeconds: 60, run: removeDeleted },
  { name: 'wake watchers', everySeconds: 60, run: wakeOverdue },
  { name: 'delete unused packs', everySeconds: 300, run: deleteUnusedPacks },
  {
    name: 'end overdue sandboxes',
    everySeconds: 60,
    everywhere: true,
    run: async ({ sandboxes }) => sandboxes.endOverdue?.(),
  },
]

/** Maximum number of packs that one sweep deletes. */
const maxDeletedPacks = 1000

/** A session that is overdue by more than this has no watcher, or the signal to its watcher was lost. */
const overdueMs = 15_000

/** Wakes the watcher of a session's sandbox. A watcher that no worker can continue is replaced. */
export async function wakeWatcher(engine: Engine, sessionId: string): Promise<void> {
  const input = { sessionId }
  if (await engine.findStuckReason(watchSandbox.id(input))) await engine.replace(watchSandbox, input)
  else await engine.start(watchSandbox, input)
}

/** Stops sandboxes that still run although their session is archived. */
function stopArchived({ db, engine, eachRow }: SweeperDeps): Promise<void> {
  return eachRow(
    'stop archived sandboxes',
    (page) => listUnstopped(db, page),
    ({ id }) => engine.start(stopSandbox, { sessionId: id }),
  )
}

/** Removes the sandboxes of deleted sessions. */
function removeDeleted({ db, engine, eachRow }: SweeperDeps): Promise<void> {
  return eachRow(
    'remove deleted sandboxes',
    (page) => listRemovals(db, page),
    ({ id }) => engine.start(removeSandbox, { sandboxName: id }),
  )
}

/** Deletes the packs of replaced checkpoints and of removed sandboxes. */
async function deleteUnusedPacks({ db, sandboxes }: SweeperDeps): Promise<void> {
  for (const id of await listUnusedPacks(db, maxDeletedPacks)) {
    await sandboxes.deleteSnapshot(id)
    await deletePack(db, id)
  }
}

/** Wakes the watchers of overdue sessions. */
function wakeOverdue({ db, engine, settings, log, eachRow }: SweeperDeps): Promise<void> {
  return eachRow(
    'wake watchers',
    (page) => listOverdue(db, settings.lifecycle, overdueMs, page),
    async ({ id }) => {
      await wakeWatcher(engine, id)
      log.info({ sessionId: id }, 'woke the watcher of a sandbox that was overdue')
    },
  )
}
