import { insertMention, type MentionEvent } from '../../../db/content/agent/events.ts'
import type { Tx } from '../../../db/postgres/client.ts'
import { answerMention, deliverPosts } from '../../../workflows/content/messages.ts'
import type { WorkDeps } from '../../deps.ts'
import { logFailedStart } from '../../runs/engine.ts'

/**
 * Stores a mention and starts its workflow. Returns false for a repeated delivery, which has no effect. `writeMore`:
 * additional writes in the same transaction.
 */
export async function receiveMention(
  deps: WorkDeps,
  event: MentionEvent,
  writeMore: (tx: Tx) => Promise<unknown> = () => Promise.resolve(),
): Promise<boolean> {
  const isNew = await deps.db.begin(async (tx) => {
    const isNew = await insertMention(tx, event)
    if (isNew) await writeMore(tx)
    return isNew
  })
  const { eventId } = event
  if (isNew) logFailedStart(deps, eventId, deps.engine.start(answerMention, { eventId }))
  return isNew
}

/** Starts the delivery of the pending posts. The sweeper retries a failed start. */
export function startPostDelivery(deps: WorkDeps, threadId: string): void {
  logFailedStart(deps, threadId, deps.engine.start(deliverPosts, { threadId }))
}
