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

/** Returns a chat by its id alone, for its owner or a caller that may act for the owner. */
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
 * Starts the workflow of a stored run. A worker starts its first model call in the meantime, if nothing precedes it.
 * The workflow is started only after the response has been written, because an earlier start would delay it by half a
 * millisecond.
 */
export function startRun(deps: ApiDeps, runId: string, options: TurnStart & { accountId: string }): void {
  if (mayHeadStart(options)) deps.notifier.headStart(runId, 'due', options.accountId)
  setImmediate(() => watchStart(deps, runId, startTurn(deps, runId, options)))
}

/**
 * The first model call must wait for the sandbox of a headless turn, for the files of a version, and for the limits of
 * a bounded turn.
 */
function mayHeadStart({ headless, bounded, restoresFiles }: TurnStart): boolean {
  return !headless && bounded !== true && restoresFiles !== true
}
