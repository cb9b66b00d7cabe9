import { randomUUID } from 'node:crypto'
import { bySecretInUrl, ownerOnly, byChat, type RouteAccess, type Victim } from './sending.ts'

const chatPath = '/api/sessions/{sessionId}/chats/{chatId}'
const byChatAnd =
  (name: string, value: string) =>
  (victim: Victim): ReturnType<typeof byChat> => ({ params: { ...byChat(victim).params, [name]: value } })

/** Access rules of versions, copies and links of chats. */
export const versionAccess: Record<string, RouteAccess> = {
  [`GET ${chatPath}/branches`]: { allowed: ownerOnly, request: byChat },
  [`POST ${chatPath}/branches/{branchId}/select`]: { allowed: ownerOnly, request: byChatAnd('branchId', 'main') },
  [`POST ${chatPath}/copy`]: { allowed: ownerOnly, request: byChat, statusAfterCheck: 400 },
  [`POST ${chatPath}/shares`]: { allowed: ownerOnly, request: byChat, statusAfterCheck: 400 },
  [`GET ${chatPath}/shares`]: { allowed: ownerOnly, request: byChat },
  [`DELETE ${chatPath}/shares/{shareId}`]: {
    allowed: ownerOnly,
    request: byChatAnd('shareId', randomUUID()),
    statusAfterCheck: 404,
  },
  'GET /share/{token}': { allowed: bySecretInUrl },
}
