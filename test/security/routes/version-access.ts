import { own, ofChat, type RouteAccess, type Victim } from './sending.ts'

const chatPath = '/api/sessions/{sessionId}/chats/{chatId}'
const withId =
  (name: string, value: string) =>
  (victim: Victim): ReturnType<typeof ofChat> => ({ params: { ...ofChat(victim).params, [name]: value } })

/** Versions of chats. */
export const versionAccess: Record<string, RouteAccess> = {
  [`GET ${chatPath}/branches`]: { allowed: own, request: ofChat },
  [`POST ${chatPath}/branches/{branchId}/select`]: { allowed: own, request: withId('branchId', 'main') },
}
