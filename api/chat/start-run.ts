import type { Config } from '../../config.ts'
import { findChat } from '../../db/sessions/chats.ts'
import type { ChatRow } from '../../domain/chat/chats.ts'
import { resolveAccount } from '../access/access.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { chatNotFound } from '../access/owned.ts'
import type { Caller } from '../http/route.ts'
import type { StreamTimes } from '../streams/sse.ts'

export const streamTimes = (config: Config): StreamTimes => ({
  heartbeatMs: config.STREAM_HEARTBEAT_MS,
  maxAgeMs: config.STREAM_MAX_AGE_SECONDS * 1000,
})

export const idleMs = (config: Config): number => config.SANDBOX_IDLE_SECONDS * 1000

/** A chat by its id alone, for its owner or whoever may act for the owner by naming the account. */
export const chatOfAccount = async (
  deps: ApiDeps,
  caller: Caller,
  chatId: string,
  accountId: string | undefined,
): Promise<ChatRow> => {
  const account = await resolveAccount(deps, caller, accountId)
  const chat = await findChat(deps.db, chatId)
  if (chat === undefined) throw chatNotFound()
  if (chat.ownerId !== account) throw new ApiError('forbidden', 'Forbidden')
  return chat
}

/** Asks the engine for a run that is already stored. A start that fails is made good by the sweeper. */
export const startRun = ({ engine, log }: ApiDeps, runId: string, options?: { headless: boolean }): void => {
  engine.startTurn(runId, options).catch((error: unknown) => {
    log.warn({ err: error, runId }, 'the engine did not take the run; it stays queued and is started later')
  })
}
