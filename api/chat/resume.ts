import { z } from 'zod'
import { findRun, type Run } from '../../db/runs/runs.ts'
import { uuid } from '../../domain/fields/fields.ts'
import { isRunId } from '../../domain/fields/ids.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { empty, route, streamed, type Route } from '../http/route.ts'
import { openEventStream, streamHeaders } from '../streams/sse.ts'
import { chatRouteDefaults, liveRun, unreadable } from './live-run.ts'
import { chatOfAccount, streamTimes } from './start-run.ts'

const plainDigits = /^\d{1,16}$/

const startIndex = z
  .string()
  .refine((text) => indexFrom(text) !== undefined, 'startIndex must be an integer from 0 to 2^53-1')
  .transform(Number)
  .meta({ override: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } })

export function resumeRoute(deps: ApiDeps): Route {
  return route({
    ...chatRouteDefaults,
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

async function runOfChat({ db }: ApiDeps, chatId: string, runId: string): Promise<Run> {
  const run = isRunId(runId) ? await findRun(db, runId) : undefined
  if (run?.chatId !== chatId) throw new ApiError('not_found', 'Run not found')
  return run
}
