import type { ActivityDeps } from '../deps.ts'
import { createChunkActivities } from './chunks.ts'
import { createEndActivities } from './ending.ts'
import { createReleaseActivities } from './releases.ts'
import { createStoreActivities } from './store.ts'

export type MeasurementDeps = Pick<ActivityDeps, 'db' | 'scraper' | 'streaming' | 'catalogs' | 'platform' | 'log'>

/** What names a chunk in the workflow: the run of its job, and its number from 0. */
export type ChunkIds = { runId: string; chunk: number }

export function createMeasurementActivities(deps: MeasurementDeps) {
  return {
    ...createChunkActivities(deps),
    ...createReleaseActivities(deps),
    ...createStoreActivities(deps),
    ...createEndActivities(deps),
  }
}
