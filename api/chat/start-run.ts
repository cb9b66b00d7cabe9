import type { Config } from '../../config.ts'
import { findChat } from '../../db/sessions/chats.ts'
import type { ChatRow } from '../../domain/chat/chats.ts'
import type { TurnStart } from '../../engine/client.ts'
import { startTurn } from '../../engine/turns.ts'
import { resolveAccount } from '../access/access.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { chatNotFound } from '../access/owned.ts'
import type { Caller } from '../http/route.ts'
import { watchStart } from '../runs/engine.ts'
import type { StreamTimes } from '../streams/sse.ts'

export function streamTimes(config: Config): StreamTimes {
  return {
    heartbeatMs: config.STREAM_HEARTBEAT_MS,
    maxAgeMs: config.STREAM_MAX_AGE_SECONDS * 1000,
  }
}

export function idleMs(config: Config): number {
  return config.SANDBOX_IDLE_SECONDS * 1000
}

/** A chat by its id alone, for its owner or whoever may act for the owner by naming the account. */
export async function chatOfAccount(
  deps: ApiDeps,
  caller: Caller,
  chatId: string,
  accountId: string | undefined,
): Promise<ChatRow> {
  const account = await resolveAccount(deps, caller, accountId)
  const chat = await findChat(deps.db, chatId)
  if (chat === undefined) throw chatNotFound()
  if (chat.ownerId !== account) throw new ApiError('forbidden', 'Forbidden')
  return chat
}

/**
 * Asks the engine for a run that is stored, and a worker to begin its first model call meanwhile where nothing comes
 * before. The engine hears of it once the answer to the client is on its way: asking first would hold that up for half a
 * millisecond.
 */
export function startRun(deps: ApiDeps, runId: string, options: TurnStart & { accountId: string }): void {
  if (mayHeadStart(options)) deps.notifier.headStart(runId, 'due', options.accountId)
  setImmediate(() => watchStart(deps, runId, startTurn(deps, runId, options)))
}

/** A headless turn is to have its sandbox before, another version its files, and a bounded one its limits. */
function mayHeadStart({ headless, bounded, restoresFiles }: TurnStart): boolean {
  return !headless && bounded !== true && restoresFiles !== true
}
