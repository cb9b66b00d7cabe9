import type { Pool } from './client.ts'
import { isDatabaseAway, isDatabaseMissing } from './failures.ts'
import { pendingMigrations } from '../migrate.ts'

/** What keeps this database from being used: it is away, or has not the schema of this code. Undefined when nothing does. */
export async function databaseObstacle(db: Pool): Promise<string | undefined> {
  try {
    const [first] = await pendingMigrations(db)
    return first === undefined ? undefined : `the database has not yet the migration ${first}: run \`npm run migrate\``
  } catch (error) {
    if (isDatabaseAway(error)) return 'Postgres does not answer yet'
    if (isDatabaseMissing(error)) return 'the database does not exist yet'
    throw error
  }
}
