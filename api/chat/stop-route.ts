import { z } from 'zod'
import { holdForStop } from '../../db/turns/queue/queue.ts'
import { uuid } from '../../domain/fields/fields.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { route, type Route } from '../http/route.ts'
import { chatRouteDefaults, liveRun } from './live-run.ts'
import { chatOfAccount } from './start-run.ts'
import { stopRuns } from './stop.ts'

export function stopRoute(deps: ApiDeps): Route {
  return route({
    ...chatRouteDefaults,
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
