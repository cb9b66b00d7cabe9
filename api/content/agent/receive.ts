import { insertMention, type MentionEvent } from '../../../db/content/agent/events.ts'
import type { Tx } from '../../../db/postgres/client.ts'
import { answerMention, deliverPosts } from '../../../workflows/content/messages.ts'
import type { ApiDeps } from '../../deps.ts'
import { watchStart } from '../../runs/engine.ts'

/** Stores a mention and has it answered; one that was told of before is known. `also`: what is stored with it. */
export async function receiveMention(
  deps: ApiDeps,
  event: MentionEvent,
  also: (tx: Tx) => Promise<unknown> = () => Promise.resolve(),
): Promise<boolean> {
  const isNew = await deps.db.begin(async (tx) => {
    const isNew = await insertMention(tx, event)
    if (isNew) await also(tx)
    return isNew
  })
  const { eventId } = event
  if (isNew) watchStart(deps, eventId, deps.engine.start(answerMention, { eventId }))
  return isNew
}

/** Asks the engine for what waits to be posted. The sweeper makes a failure good. */
export function startPosts(deps: ApiDeps, threadId: string): void {
  watchStart(deps, threadId, deps.engine.start(deliverPosts, { threadId }))
}
