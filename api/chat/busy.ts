import { findRun, isLive } from '../../db/runs/runs.ts'
import { releaseSlot } from '../../db/turns/slot.ts'
import type { ChatRow } from '../../domain/chat/chats.ts'
import type { DbDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'

/** Error for a request to start a turn in a chat that has a live run. */
export class ChatBusyError extends ApiError {
  constructor(runId?: string) {
    super('conflict', 'A response is already streaming for this chat', {
      headers: { 'retry-after': '1', ...(runId !== undefined && { 'x-workflow-run-id': runId }) },
    })
  }
}

/** Throws `ChatBusyError` if the chat has a live run. Frees the slot if an ended run still occupies it. */
export async function requireFreeSlot(deps: DbDeps, chat: ChatRow): Promise<void> {
  const activeRunId = chat.activeStreamId
  if (activeRunId === null) return
  const run = await findRun(deps.db, activeRunId).catch(() => undefined)
  if (run === undefined)
    throw new ApiError('unavailable', "The state of this chat's run could not be determined", { retryAfter: 1 })
  if (isLive(run.status)) throw new ChatBusyError(activeRunId)
  if (!(await deps.db.begin((tx) => releaseSlot(tx, chat.id, activeRunId)))) throw new ChatBusyError()
}
