import type { RenderPort } from '../../providers/render/index.ts'
import type { StorePort } from '../../providers/store/index.ts'
import { standardRoute } from '../http/route.ts'
import type { WorkDeps } from '../deps.ts'

export type MusicDeps = WorkDeps & {
  store: StorePort
  /** Undefined if the renderer of this deployment sends no webhooks. */
  verifyRenderWebhook?: RenderPort['verifyWebhook']
}

export const routeDefaults = {
  ...standardRoute,
  tag: { name: 'Music', description: 'Tracks that are generated from text.' },
} as const
