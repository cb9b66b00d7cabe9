import { z } from 'zod'
import { holdForStop } from '../../db/turns/queue/queue.ts'
import type { StopDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { route, ok, type Route } from '../http/route.ts'
import { findLiveRunOrFreeSlot } from './live-run.ts'
import { requireAccountChat, accountChatRoute } from './start-run.ts'
import { stopRuns } from './deliver-stop.ts'

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
