import { z } from 'zod'
import { findRun, isLive, type Run } from '../../db/runs/runs.ts'
import { releaseSlot } from '../../db/turns/slot.ts'
import type { DbDeps, StopDeps } from '../deps.ts'
import { ApiError, throwAs, invalidField, notFound } from '../http/errors.ts'
import { isRunId } from '../../domain/fields/ids.ts'
import { emptyResponse, route, streamedResponse, ok, type Route } from '../http/route.ts'
import { openEventStream, streamHeaders } from '../streams/sse.ts'
import { requireAccountChat, streamTimes, accountChatRoute, type ChatDeps } from './start-run.ts'
import { holdForStop } from '../../db/turns/queue/queue.ts'
import { stopRuns } from '../runs/stop.ts'

const plainDigits = /^\d{1,16}$/

const startIndex = z
  .string()
  .refine((text) => parseIndex(text) !== undefined, 'startIndex must be an integer from 0 to 2^53-1')
  .transform(Number)
  .meta({ override: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } })

export function resumeRoute(deps: ChatDeps): Route {
  return route({
    ...accountChatRoute,
    method: 'GET',
    path: '/api/chat/{chatId}/stream',
    summary: 'Resume the stream of a run',
    description:
      'Replays the frames from `Last-Event-ID` + 1, else from `startIndex`, else from 0, and then streams new frames. ' +
      'Without `runId` it streams the live run of the chat, and the response is 204 if there is none. With `runId` it ' +
      'streams that run of the chat, even if it has ended.',
    rate: 'streams',
    query: accountChatRoute.query.extend({ startIndex: startIndex.optional(), runId: z.string().optional() }),
    responses: {
      200: streamedResponse(
        'text/event-stream',
        'The frames from the start index until the end of the run, then `[DONE]`.',
      ),
      204: emptyResponse('The chat has no live run.'),
    },
    errors: ['forbidden', 'not_found', 'bad_gateway'],
    handle: async ({ caller, params, query, headers }) => {
      const fromIndex = resolveStartIndex(headers['last-event-id'], query.startIndex)
      const chat = await requireAccountChat(deps, caller, params.chatId, query.account_id)
      const run =
        query.runId === undefined
          ? await findLiveRunOrFreeSlot(deps, chat.id, chat.activeStreamId)
          : await requireChatRun(deps, chat.id, query.runId)
      if (run === undefined) return { status: 204 }
      const { body, opened } = openEventStream(deps.streams, run.id, fromIndex, streamTimes(deps.config))
      const tailIndex = await opened.catch(throwAs(statusUnreadable))
      if (tailIndex === undefined) throw statusUnreadable()
      const responseHeaders = { ...streamHeaders(run.id), 'x-workflow-stream-tail-index': String(tailIndex) }
      return { status: 200, headers: responseHeaders, body }
    },
  })
}

function parseIndex(text: string): number | undefined {
  const index = plainDigits.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(index) ? index : undefined
}

/** Returns the first index to send. The header takes precedence over the query, because browsers send it on reconnect. */
function resolveStartIndex(lastEventId: string | undefined, queryIndex: number | undefined): number {
  if (lastEventId === undefined) return queryIndex ?? 0
  const index = parseIndex(lastEventId)
  if (index === undefined) throw invalidField('Last-Event-ID must be a non-negative integer', 'Last-Event-ID')
  return index + 1
}

async function requireChatRun({ db }: ChatDeps, chatId: string, runId: string): Promise<Run> {
  const run = isRunId(runId) ? await findRun(db, runId) : undefined
  if (run?.chatId !== chatId) throw notFound('Run')
  return run
}

export function stopRoute(deps: StopDeps): Route {
  return route({
    ...accountChatRoute,
    method: 'POST',
    path: '/api/chat/{chatId}/stop',
    summary: 'Stop the live run',
    description:
      'Returns once the run has ended, and holds the queue of the chat. The call is safe to repeat. 502: the ' +
      'workflow engine is unavailable; the stop is recorded and takes effect when the engine is back. 504: the run has not ' +
      'yet ended; the stop remains in force.',
    responses: { 200: z.object({ success: z.literal(true), stopped: z.boolean() }) },
    errors: ['forbidden', 'not_found', 'bad_gateway', 'timeout'],
    handle: async ({ caller, params, query }) => {
      const { id } = await requireAccountChat(deps, caller, params.chatId, query.account_id)
      // The queue is held before the slot is read: otherwise, the end of a turn in between could accept the next message.
      await deps.db.begin((tx) => holdForStop(tx, id))
      const chat = await requireAccountChat(deps, caller, id, query.account_id)
      const run = await findLiveRunOrFreeSlot(deps, id, chat.activeStreamId)
      if (run === undefined) return ok({ success: true, stopped: false })
      const outcome = await stopRuns(deps, [run.id])
      if (outcome === 'unavailable') throw new ApiError('bad_gateway', 'Run could not be stopped')
      if (outcome === 'timeout') throw new ApiError('timeout', 'Run did not stop in time', { retryAfter: 2 })
      return ok({ success: true, stopped: true })
    },
  })
}

/** Returns the live run in the chat's slot. If that run has ended, frees the slot and returns undefined. */
async function findLiveRunOrFreeSlot(deps: DbDeps, chatId: string, runId: string | null): Promise<Run | undefined> {
  if (runId === null) return undefined
  const run = await findRun(deps.db, runId).catch(throwAs(statusUnreadable))
  if (run === undefined) throw statusUnreadable()
  if (isLive(run.status)) return run
  await deps.db.begin((tx) => releaseSlot(tx, chatId, runId))
  return undefined
}

/** Error for a run whose status could not be read. */
function statusUnreadable(cause?: unknown): ApiError {
  return new ApiError('bad_gateway', 'Run status could not be read', { cause })
}
