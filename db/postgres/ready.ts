import type { Pool } from './client.ts'
import { isDatabaseAway, isDatabaseMissing } from './failures.ts'
import { pendingMigrations } from '../migrate.ts'
import { explainPooler } from './pooling.ts'

/**
 * Returns why this database cannot be used: it is unavailable, or does not have the schema of this code. Undefined when
 * it can. Throws `PoolingError` if its connection pooler cannot be used.
 */
export async function databaseObstacle(db: Pool): Promise<string | undefined> {
  try {
    const [first] = await pendingMigrations(db)
    return first === undefined ? undefined : `the database has not yet the migration ${first}: run \`npm run migrate\``
  } catch (error) {
    if (isDatabaseAway(error)) return 'Postgres does not answer yet'
    if (isDatabaseMissing(error)) return 'the database does not exist yet'
    throw explainPooler('DATABASE_URL', error) ?? error
  }
}
