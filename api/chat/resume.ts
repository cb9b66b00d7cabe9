import { z } from 'zod'
import { findRun, isLive, type Run } from '../../db/runs/runs.ts'
import { releaseSlot } from '../../db/turns/accept.ts'
import { holdForStop } from '../../db/turns/queue/queue.ts'
import { uuid } from '../../domain/fields/fields.ts'
import { isRunId } from '../../domain/fields/ids.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { empty, mebibytes, route, streamed, type Route } from '../http/route.ts'
import { openEventStream, streamHeaders } from '../streams/sse.ts'
import { stopRuns } from './stop.ts'
import { chatOfAccount, streamTimes } from './start-run.ts'
import { chatTag } from './tag.ts'

const plainDigits = /^\d{1,16}$/

const startIndex = z
  .string()
  .refine((text) => indexFrom(text) !== undefined, 'startIndex must be an integer from 0 to 2^53-1')
  .transform(Number)
  .meta({ override: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } })

const params = z.object({ chatId: z.guid('chatId must be a UUID').toLowerCase() })
const routeDefaults = {
  tag: chatTag,
  auth: 'key-or-bearer',
  ownership: 'The chat must belong to the caller, or to the account named by account_id that the caller may act for.',
  envelope: 'e2',
  bodyLimit: mebibytes(1),
  params,
} as const

export function resumeRoute(deps: ApiDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/chat/{chatId}/stream',
    summary: 'Resume the stream of the live run',
    description:
      'Replays from `Last-Event-ID` + 1 (or `startIndex`, or 0), then goes on live. 204: there is nothing to resume. ' +
      'With `runId` the stream of this run of the chat, also when it has ended.',
    rate: 'streams',
    query: z.object({ account_id: uuid.optional(), startIndex: startIndex.optional(), runId: z.string().optional() }),
    responses: {
      200: streamed('text/event-stream', 'Frames from the start index, live until the run ends, then `[DONE]`'),
      204: empty('No live run'),
    },
    errors: ['unauthorized', 'forbidden', 'not_found', 'rate_limited', 'bad_gateway'],
    handle: async ({ caller, params, query, headers }) => {
      const from = firstIndex(headers['last-event-id'], query.startIndex)
      const chat = await chatOfAccount(deps, caller, params.chatId, query.account_id)
      const run =
        query.runId === undefined
          ? await liveRun(deps, chat.id, chat.activeStreamId)
          : await runOfChat(deps, chat.id, query.runId)
      if (run === undefined) return { status: 204 }
      const { body, opened } = openEventStream(deps.streams, run.id, from, streamTimes(deps.config))
      const tailIndex = await opened.catch((error: unknown) => {
        throw unreadable(error)
      })
      if (tailIndex === undefined) throw unreadable()
      const headersOut = { ...streamHeaders(run.id), 'x-workflow-stream-tail-index': String(tailIndex) }
      return { status: 200, headers: headersOut, body }
    },
  })
}

export function stopRoute(deps: ApiDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path: '/api/chat/{chatId}/stop',
    summary: 'Stop the live run',
    description: 'Answers when the run has ended. Calling again is safe. Messages that wait are held.',
    rate: 'default',
    query: z.object({ account_id: uuid.optional() }),
    responses: { 200: z.object({ success: z.literal(true), stopped: z.boolean() }) },
    errors: ['unauthorized', 'forbidden', 'not_found', 'bad_gateway', 'timeout'],
    handle: async ({ caller, params, query }) => {
      const { id } = await chatOfAccount(deps, caller, params.chatId, query.account_id)
      // Held first: otherwise the end of a turn could accept the next message after the slot was read.
      await deps.db.begin((tx) => holdForStop(tx, id))
      const chat = await chatOfAccount(deps, caller, id, query.account_id)
      const run = await liveRun(deps, id, chat.activeStreamId)
      if (run === undefined) return { status: 200, body: { success: true, stopped: false } }
      const outcome = await stopRuns(deps, [run.id])
      if (outcome === 'refused') throw new ApiError('bad_gateway', 'Run could not be stopped')
      if (outcome === 'timeout')
        throw new ApiError('timeout', 'Run did not stop in time', { headers: { 'retry-after': '2' } })
      return { status: 200, body: { success: true, stopped: true } }
    },
  })
}

function indexFrom(text: string): number | undefined {
  const index = plainDigits.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(index) ? index : undefined
}

/** The header takes precedence over the query, because browsers send it on reconnect. */
function firstIndex(lastEventId: string | undefined, queried: number | undefined): number {
  if (lastEventId === undefined) return queried ?? 0
  const index = indexFrom(lastEventId)
  if (index === undefined)
    throw new ApiError('invalid_request', 'Last-Event-ID must be an integer from 0', {
      missingFields: ['Last-Event-ID'],
    })
  return index + 1
}

/** Returns the live run in the chat's slot. Frees the slot of an ended run. */
async function liveRun(deps: ApiDeps, chatId: string, runId: string | null): Promise<Run | undefined> {
  if (runId === null) return undefined
  const run = await findRun(deps.db, runId).catch((error: unknown) => {
    throw unreadable(error)
  })
  if (run === undefined) throw unreadable()
  if (isLive(run.status)) return run
  await deps.db.begin((tx) => releaseSlot(tx, chatId, runId))
  return undefined
}

async function runOfChat({ db }: ApiDeps, chatId: string, runId: string): Promise<Run> {
  const run = isRunId(runId) ? await findRun(db, runId) : undefined
  if (run?.chatId !== chatId) throw new ApiError('not_found', 'Run not found')
  return run
}

function unreadable(cause?: unknown): ApiError {
  return new ApiError('bad_gateway', 'Run status could not be read', { cause })
}
