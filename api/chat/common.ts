import type { Config } from '../../config.ts'
import { findChat } from '../../db/chats.ts'
import { readBalance } from '../../db/ledger.ts'
import type { ChatRow } from '../../domain/chats.ts'
import { resolveAccount } from '../access.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import { chatNotFound } from '../owned.ts'
import type { Caller } from '../route.ts'
import type { StreamTimes } from '../sse.ts'

export const streamTimes = (config: Config): StreamTimes => ({
  heartbeatMs: config.STREAM_HEARTBEAT_MS,
  maxAgeMs: config.STREAM_MAX_AGE_SECONDS * 1000,
})

export const idleMs = (config: Config): number => config.SANDBOX_IDLE_SECONDS * 1000

/** Refuses a turn that nobody could pay for, where the deployment asks for that. */
export const requireCredits = async ({ db, config }: ApiDeps, accountId: string): Promise<void> => {
  if (!config.REQUIRE_CREDITS) return
  const balance = await readBalance(db, accountId)
  if (balance > 0) return
  throw new ApiError('insufficient_credits', 'insufficient_credits', {
    body: {
      error: 'insufficient_credits',
      remaining_credits: balance,
      required_credits: 1,
      billingUrl: config.BILLING_URL,
    },
  })
}

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
