import type { MusicDeps } from './deps.ts'
import { createEndActivities } from './ending.ts'
import { createRenderActivities } from './render.ts'
import { createTrackActivities } from './track.ts'

export function createMusicActivities(deps: MusicDeps) {
  return { ...createRenderActivities(deps), ...createTrackActivities(deps), ...createEndActivities(deps) }
}
