import { join } from 'node:path'
import type { World } from '../../world/world.ts'
import type { Sources } from './collect.ts'

/** Returns where the parts of a test's world keep their state. */
export const createSources = ({ db, temporalAddress, config }: World): Sources => ({
  db,
  temporalAddress,
  namespace: config.TEMPORAL_NAMESPACE,
  sandboxRoot: join(config.DATA_DIR, 'sandboxes'),
})
