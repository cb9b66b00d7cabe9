import { grantApplication, type DatabaseUrls } from '../../db/postgres/application-role.ts'
import type { Pool } from '../../db/postgres/client.ts'
import { migrate, SchemaBeforeBaselineError } from '../../db/migrate.ts'
import { ensurePartitions } from '../../db/log/partitions.ts'
import { ensureAuditPartitions } from '../../db/retention.ts'
import { CommandRefusedError } from '../say.ts'

/**
 * Migrates a database to the current schema, and creates the application role and the partitions of the next days. Returns
 * the names of the applied migrations. `dataDir`: the data folder of an embedded database.
 */
export async function migrateForStart(db: Pool, urls: DatabaseUrls, dataDir?: string): Promise<string[]> {
  const applied = await migrate(db).catch((error: unknown) => {
    if (!(error instanceof SchemaBeforeBaselineError)) throw error
    const database = decodeURIComponent(new URL(urls.ownerUrl).pathname.slice(1))
    const remedy = dataDir
      ? `move the data folder ${dataDir} away and start again`
      : `replace the database ${database} and the Temporal namespace with empty ones and start again`
    throw new CommandRefusedError(
      `The database was created before the first release and cannot be migrated: ${remedy}.`,
    )
  })
  await grantApplication(db, urls)
  await ensurePartitions(db)
  await ensureAuditPartitions(db)
  return applied
}
