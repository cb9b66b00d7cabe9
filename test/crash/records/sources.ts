import { join } from 'node:path'
import type { World } from '../../world/world.ts'
import type { Sources } from './collect.ts'

/** Where a test's world keeps what its parts know. */
export const createSources = ({ db, temporalAddress, config }: World): Sources => ({
  db,
  temporalAddress,
  namespace: config.TEMPORAL_NAMESPACE,
  sandboxRoot: join(config.DATA_DIR, 'sandboxes'),
})
