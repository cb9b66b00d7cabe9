import type { Pool } from './client.ts'
import { isDatabaseUnavailable, isDatabaseMissing } from './failures.ts'
import { listPendingMigrations } from '../migrate.ts'
import { explainPooler } from './pooling.ts'

/**
 * Returns why this database cannot be used: it is unavailable, or lacks the schema of this build. Undefined for a usable
 * database. Throws `PoolingError` for an unusable connection pooler.
 */
export async function explainUnusableDatabase(db: Pool): Promise<string | undefined> {
  try {
    const [first] = await listPendingMigrations(db)
    return first === undefined ? undefined : `the database lacks the migration ${first}: run \`npm run migrate\``
  } catch (error) {
    if (isDatabaseUnavailable(error)) return 'Postgres does not respond yet'
    if (isDatabaseMissing(error)) return 'the database does not exist yet'
    throw explainPooler('DATABASE_URL', error) ?? error
  }
}
