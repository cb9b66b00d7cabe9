import { createAgentActivities } from './agent/index.ts'
import type { ContentDeps } from './deps.ts'
import { createEndActivities } from './ending.ts'
import { createClipActivities } from './render.ts'
import { createSourceActivities } from './sources.ts'
import { createWordActivities } from './words.ts'

export function createContentActivities(deps: ContentDeps) {
  return {
    ...createSourceActivities(deps),
    ...createWordActivities(deps),
    ...createClipActivities(deps),
    ...createEndActivities(deps),
    ...createAgentActivities(deps),
  }
}
