import { randomUUID } from 'node:crypto'
import { byKeyInAddress, own, ofChat, type RouteAccess, type Victim } from './sending.ts'

const chatPath = '/api/sessions/{sessionId}/chats/{chatId}'
const withId =
  (name: string, value: string) =>
  (victim: Victim): ReturnType<typeof ofChat> => ({ params: { ...ofChat(victim).params, [name]: value } })

/** Versions, copies and links of chats. */
export const versionAccess: Record<string, RouteAccess> = {
  [`GET ${chatPath}/branches`]: { allowed: own, request: ofChat },
  [`POST ${chatPath}/branches/{branchId}/select`]: { allowed: own, request: withId('branchId', 'main') },
  [`POST ${chatPath}/copy`]: { allowed: own, request: ofChat, passes: 400 },
  [`POST ${chatPath}/shares`]: { allowed: own, request: ofChat, passes: 400 },
  [`GET ${chatPath}/shares`]: { allowed: own, request: ofChat },
  [`DELETE ${chatPath}/shares/{shareId}`]: { allowed: own, request: withId('shareId', randomUUID()), passes: 404 },
  'GET /share/{token}': { allowed: byKeyInAddress },
}
