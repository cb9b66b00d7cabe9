import type { MeasurementDeps } from './deps.ts'
import { createChunkActivities } from './chunks.ts'
import { createEndActivities } from './ending.ts'
import { createReleaseActivities } from './releases.ts'
import { createStoreActivities } from './store.ts'

export function createMeasurementActivities(deps: MeasurementDeps) {
  return {
    ...createChunkActivities(deps),
    ...createReleaseActivities(deps),
    ...createStoreActivities(deps),
    ...createEndActivities(deps),
  }
}
