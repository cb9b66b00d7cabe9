import { randomUUID } from 'node:crypto'
import { ownerAndMembers, type RouteAccess, type RouteRequest, type Victim } from './sending.ts'

const path = '/api/chat/{chatId}/queue'

/** Access rules of queued messages and summaries of chats. */
export const queueAccess: Record<string, RouteAccess> = {
  [`GET ${path}`]: { allowed: ownerAndMembers, request: byOwnersChat },
  [`DELETE ${path}`]: { allowed: ownerAndMembers, request: byOwnersChat },
  [`POST ${path}/hold`]: { allowed: ownerAndMembers, request: byOwnersChat },
  [`POST ${path}/resume`]: { allowed: ownerAndMembers, request: byOwnersChat },
  // The queue is empty, but the chat is checked first.
  [`GET ${path}/{queueId}`]: { allowed: ownerAndMembers, request: byQueueEntry, statusAfterCheck: 404 },
  [`PATCH ${path}/{queueId}`]: {
    allowed: ownerAndMembers,
    request: (victim) => ({ ...byQueueEntry(victim), body: { position: 1 } }),
    statusAfterCheck: 404,
  },
  [`DELETE ${path}/{queueId}`]: { allowed: ownerAndMembers, request: byQueueEntry, statusAfterCheck: 404 },
  'POST /api/chat/{chatId}/compact': { allowed: ownerAndMembers, request: byOwnersChat },
  'GET /api/chat/{chatId}/summaries': { allowed: ownerAndMembers, request: byOwnersChat },
}

function byOwnersChat({ chatId, account }: Victim): RouteRequest {
  return { params: { chatId }, query: { account_id: account.id } }
}

function byQueueEntry(victim: Victim): RouteRequest {
  const { params, query } = byOwnersChat(victim)
  return { params: { ...params, queueId: randomUUID() }, query: query ?? {} }
}
