import type { ChatDeps } from './start-run.ts'
import type { Route } from '../http/route.ts'
import { queueRoutes } from './queue/routes.ts'
import { compactRoute, summariesRoute } from './compact.ts'
import { readRunRoute, startRunRoute } from './runs.ts'
import { sendRoute } from './send.ts'
import { resumeRoute, stopRoute } from './live-run.ts'

/** Routes that send, resume and stop turns, compact chats, and start and poll headless runs. */
export function chatTurnRoutes(deps: ChatDeps): Route[] {
  return [
    sendRoute(deps),
    resumeRoute(deps),
    stopRoute(deps),
    startRunRoute(deps),
    readRunRoute(deps),
    ...queueRoutes(deps),
    compactRoute(deps),
    summariesRoute(deps),
  ]
}
