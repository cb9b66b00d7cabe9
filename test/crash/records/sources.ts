import { join } from 'node:path'
import type { World } from '../../world/world.ts'
import type { Sources } from './collect.ts'

/** Returns the locations of the state of a test's world. */
export const createSources = ({ db, temporalAddress, config }: World): Sources => ({
  db,
  temporalAddress,
  namespace: config.TEMPORAL_NAMESPACE,
  sandboxRoots: () => [join(config.DATA_DIR, 'sandboxes')],
})
