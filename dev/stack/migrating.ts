import { grantApplication, type DatabaseUrls } from '../../db/postgres/application-role.ts'
import type { Pool } from '../../db/postgres/client.ts'
import { migrate, ChangedMigrationError } from '../../db/migrate.ts'
import { ensurePartitions } from '../../db/log/partitions.ts'
import { ensureAuditPartitions } from '../../db/retention.ts'
import { CommandRefusedError } from '../say.ts'

/**
 * Migrates a database to the current schema, and creates the application role and the partitions of the next days. Returns
 * the names of the applied migrations. `dataDir`: the data folder of an embedded database.
 */
export async function migrateForStart(db: Pool, urls: DatabaseUrls, dataDir?: string): Promise<string[]> {
  const applied = await migrate(db).catch((error: unknown) => {
    if (!(error instanceof ChangedMigrationError)) throw error
    const database = decodeURIComponent(new URL(urls.ownerUrl).pathname.slice(1))
    const remedy = dataDir
      ? `move the data folder ${dataDir} away`
      : `replace the database ${database} and the Temporal namespace with empty ones`
    throw new CommandRefusedError(
      `${error.message}: restore the file and add a new migration, or ${remedy} and start again.`,
    )
  })
  await grantApplication(db, urls)
  await ensurePartitions(db)
  await ensureAuditPartitions(db)
  return applied
}
