import { z } from 'zod'
import type { Config } from '../../config.ts'
import { findChat } from '../../db/sessions/chats.ts'
import type { ChatRow } from '../../domain/chat/chats.ts'
import type { TurnStart } from '../../engine/client.ts'
import { startTurn } from '../../engine/turns.ts'
import { resolveAccount } from '../access/access.ts'
import type { RouteDeps, StopDeps } from '../deps.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { mebibytes, standardRoute, type Caller } from '../http/route.ts'
import { logFailedStart } from '../runs/engine.ts'
import type { StreamTimes } from '../streams/sse.ts'
import type { Fleet } from '../fleet.ts'
import type { StreamHub } from '../streams/hub.ts'
import { uuid } from '../../domain/fields/fields.ts'
import { chatTag } from './tag.ts'

/** Defaults of the routes of a chat, which belongs to the caller or to another account that the query names. */
export const accountChatRoute = {
  ...standardRoute,
  tag: chatTag,
  ownership: 'The chat must belong to the caller, or to the account named by account_id that the caller may act for.',
  bodyLimit: mebibytes(1),
  params: z.object({ chatId: z.guid('chatId must be a UUID').toLowerCase() }),
  query: z.object({ account_id: uuid.optional() }),
} as const

/** Dependencies of routes that start turns. */
export type ChatStartDeps = StopDeps & { fleet: Fleet }

export type ChatDeps = ChatStartDeps & { streams: StreamHub }

export function streamTimes(config: Config): StreamTimes {
  return {
    heartbeatMs: config.STREAM_HEARTBEAT_MS,
    maxAgeMs: config.STREAM_MAX_AGE_SECONDS * 1000,
  }
}

export function idleTimeoutMs(config: Config): number {
  return config.SANDBOX_IDLE_SECONDS * 1000
}

/**
 * Returns the chat if it belongs to the account: `accountId`, or the caller's own account by default. Throws 404 if there is
 * no such chat, and 403 if it belongs to another account or the caller may not act for the account.
 */
export async function requireAccountChat(
  deps: RouteDeps,
  caller: Caller,
  chatId: string,
  accountId: string | undefined,
): Promise<ChatRow> {
  const account = await resolveAccount(deps, caller, accountId)
  const chat = await findChat(deps.db, chatId)
  if (chat === undefined) throw notFound('Chat')
  if (chat.ownerId !== account) throw new ApiError('forbidden', 'Forbidden')
  return chat
}

/** `machineId`: the machine that has the files of the turn, if it is known. */
type RunStart = TurnStart & { accountId: string; machineId?: string | undefined }

/**
 * Starts the workflow of a stored run after the response has been written, because an earlier start would delay the response
 * by half a millisecond. If `canStartEarly`, notifies one worker, which begins the first model call before the workflow
 * starts. If this worker does not begin the call, the activity of the workflow does.
 */
export function startRun(deps: ChatStartDeps, runId: string, { machineId, ...options }: RunStart): void {
  if (canStartEarly(options)) {
    const worker = deps.fleet.chooseWorker(runId, machineId)
    if (worker !== undefined) deps.notifier.headStart(worker, 'due', runId, options.accountId)
  }
  setImmediate(() => logFailedStart(deps, runId, startTurn(deps, runId, options)))
}

/**
 * True if the first model call can begin before the workflow. False if the turn is headless (its sandbox must exist first),
 * restores files, or has limits that must be checked.
 */
function canStartEarly({ headless, bounded, restoresFiles }: TurnStart): boolean {
  return !headless && bounded !== true && restoresFiles !== true
}
