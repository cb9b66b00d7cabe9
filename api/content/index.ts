import type { ContentAgentDeps } from './route-defaults.ts'
import type { Route } from '../http/route.ts'
import { callbackRoute } from './agent/callback.ts'
import { webhookRoute } from './agent/webhook.ts'
import { createRoute, templatesRoute } from './create.ts'
import { listVideosRoute, readVideoRoute, removeVideoRoute } from './videos.ts'

/** Routes of videos for artists, and of the team chat agent that creates them. */
export function contentRoutes(deps: ContentAgentDeps): Route[] {
  return [
    templatesRoute(),
    createRoute(deps),
    listVideosRoute(deps),
    readVideoRoute(deps),
    removeVideoRoute(deps),
    callbackRoute(deps),
    webhookRoute(deps),
  ]
}
