import { randomUUID } from 'node:crypto'
import { shared, type RouteAccess, type Sending, type Victim } from './sending.ts'

const path = '/api/chat/{chatId}/queue'

/** Queued messages of a chat, and its summaries. */
export const queueAccess: Record<string, RouteAccess> = {
  [`GET ${path}`]: { allowed: shared, request: ofOwnersChat },
  [`DELETE ${path}`]: { allowed: shared, request: ofOwnersChat },
  [`POST ${path}/hold`]: { allowed: shared, request: ofOwnersChat },
  [`POST ${path}/resume`]: { allowed: shared, request: ofOwnersChat },
  // Nothing is queued here, but the chat is checked first.
  [`GET ${path}/{queueId}`]: { allowed: shared, request: ofEntry, passes: 404 },
  [`PATCH ${path}/{queueId}`]: {
    allowed: shared,
    request: (victim) => ({ ...ofEntry(victim), body: { position: 1 } }),
    passes: 404,
  },
  [`DELETE ${path}/{queueId}`]: { allowed: shared, request: ofEntry, passes: 404 },
  'POST /api/chat/{chatId}/compact': { allowed: shared, request: ofOwnersChat },
  'GET /api/chat/{chatId}/summaries': { allowed: shared, request: ofOwnersChat },
}

function ofOwnersChat({ chatId, account }: Victim): Sending {
  return { params: { chatId }, query: { account_id: account.id } }
}

function ofEntry(victim: Victim): Sending {
  const { params, query } = ofOwnersChat(victim)
  return { params: { ...params, queueId: randomUUID() }, query: query ?? {} }
}
