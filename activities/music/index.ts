import type { ActivityDeps } from '../deps.ts'
import { createEndActivities } from './ending.ts'
import { createRenderActivities } from './render.ts'
import { createTrackActivities } from './track.ts'

export type MusicDeps = Pick<ActivityDeps, 'db' | 'render' | 'store' | 'files' | 'platform' | 'log'>

export function createMusicActivities(deps: MusicDeps) {
  return { ...createRenderActivities(deps), ...createTrackActivities(deps), ...createEndActivities(deps) }
}
