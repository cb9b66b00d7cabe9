import type { MusicDeps } from './deps.ts'
import { createEndActivities } from './ending.ts'
import { createRenderActivities } from './render.ts'

export function createMusicActivities(deps: MusicDeps) {
  return { ...createRenderActivities(deps), ...createEndActivities(deps) }
}
