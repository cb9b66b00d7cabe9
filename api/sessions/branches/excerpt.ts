import {
  findPositionedMessage,
  findBranch,
  findSelectedBranch,
  type PositionedMessage,
} from '../../../db/sessions/branches.ts'
import type { Tx, Db } from '../../../db/postgres/client.ts'
import { findRun, listLiveRuns } from '../../../db/runs/runs.ts'
import { ApiError, invalidField } from '../../http/errors.ts'

/** Part of a chat to copy or share: the messages of `branch` (null for the trunk) up to `last`. */
type Excerpt = { branch: string | null; last: PositionedMessage }

/**
 * Returns the part of a chat that a request selects: up to `messageId`, or the complete branch. Call it in a transaction that
 * locks the session, so that no run starts. Throws 409 if a live run still writes the last message.
 */
export async function readExcerpt(
  tx: Tx,
  chatId: string,
  { messageId, branch: name }: { messageId?: string | undefined; branch?: string | undefined },
): Promise<Excerpt> {
  const branch = await resolveBranch(tx, chatId, name)
  const last = await findPositionedMessage(tx, chatId, {
    branch,
    ...(messageId === undefined ? { last: true } : { id: messageId }),
  })
  if (last === undefined)
    throw invalidField(
      messageId === undefined ? 'This chat has no messages' : 'messageId must be the id of a message of this branch',
      'messageId',
    )
  const [liveRun] = await listLiveRuns(tx, { chatId })
  const run = liveRun && (await findRun(tx, liveRun.id))
  if (run?.assistantMessageId === last.id) throw new ApiError('conflict', 'This message is still being written')
  return { branch, last }
}

/** Returns the id of the requested branch, or of the selected branch by default; null for the trunk. */
export async function resolveBranch(db: Db, chatId: string, name: string | undefined): Promise<string | null> {
  if (name === undefined) return findSelectedBranch(db, chatId)
  const branch = await findBranch(db, chatId, name)
  if (branch === undefined) throw invalidField('branch must be the id of a branch of this chat', 'branch')
  return branch.id
}
