import { createAgentActivities } from './agent/index.ts'
import type { ContentDeps } from './deps.ts'
import { createEndActivities } from './ending.ts'
import { createRenderActivities } from './render.ts'
import { createSourceActivities } from './sources.ts'
import { createSelectionActivities } from './selection.ts'

export function createContentActivities(deps: ContentDeps) {
  return {
    ...createSourceActivities(deps),
    ...createSelectionActivities(deps),
    ...createRenderActivities(deps),
    ...createEndActivities(deps),
    ...createAgentActivities(deps),
  }
}
