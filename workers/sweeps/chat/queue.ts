import { acceptWaiting, listUnacceptedQueues } from '../../../db/turns/queue/accept-next.ts'
import { deleteEndedEntries } from '../../../db/turns/queue/queue.ts'
import { startTurn } from '../../../engine/turns.ts'
import type { SweeperDeps } from '../runtime/deps.ts'
import type { Sweep } from '../runtime/loop.ts'

export const queueSweeps: Sweep[] = [
  { name: 'accept queued messages', everySeconds: 5, run: acceptMissed },
  { name: 'delete ended queue entries', everySeconds: 3600, run: ({ db }) => deleteEndedEntries(db, retentionDays) },
]

const retentionDays = 7

/**
 * Accepts messages that wait in an idle chat. Messages wait there if a build without queues released the slot of the chat
 * without accepting its messages.
 */
function acceptMissed({ db, engine, notifier, log, settings, eachRow }: SweeperDeps): Promise<void> {
  return eachRow(
    'accept queued messages',
    (page) => listUnacceptedQueues(db, page),
    async ({ id }) => {
      const next = await acceptWaiting(db, { chatId: id, terms: settings.turns })
      if (next === undefined) return
      log.info({ chatId: id, runId: next.runId }, 'accepted a queued message')
      await startTurn({ engine, notifier }, next.runId, next)
    },
  )
}
