import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { Db, Pool } from './postgres/client.ts'

const folder = new URL('./migrations/', import.meta.url)
/** Key of the advisory lock that is held while the schema or role privileges change. */
export const migrationLock = 7_202_117_301

type Migration = { name: string; checksum: string; text: string }

/** A migration was applied to the database with other content than in this build. */
export class ChangedMigrationError extends Error {
  override readonly name = 'ChangedMigrationError'
}

/**
 * Migrates the schema in one transaction. Returns the names of the applied migrations. Concurrent calls wait for each
 * other. Throws `ChangedMigrationError`, without any change, if the content of an applied migration differs.
 */
export async function migrate(db: Pool): Promise<string[]> {
  const migrations = await readMigrations()
  return db.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`select pg_advisory_xact_lock(${migrationLock})`
    await tx`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`
    const applied = await listApplied(tx)
    const changedMigration = migrations.find(({ name, checksum }) => (applied.get(name) ?? checksum) !== checksum)
    if (changedMigration)
      throw new ChangedMigrationError(`Migration ${changedMigration.name} was changed after it was applied`)
    const pendingMigrations = migrations.filter(({ name }) => !applied.has(name))
    for (const { name, checksum, text } of pendingMigrations) {
      await tx.unsafe(text)
      await tx`insert into schema_migrations (name, checksum) values (${name}, ${checksum})`
    }
    return pendingMigrations.map(({ name }) => name)
  })
}

/** Returns the names of this build's migrations that have not been applied to the database. */
export async function listPendingMigrations(db: Db): Promise<string[]> {
  const [table] = await db<{ present: boolean }[]>`select to_regclass('schema_migrations') is not null as present`
  const applied = table?.present ? await listApplied(db) : new Map<string, string>()
  return (await readMigrations()).map(({ name }) => name).filter((name) => !applied.has(name))
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

async function listApplied(db: Db): Promise<Map<string, string>> {
  const rows = await db<{ name: string; checksum: string }[]>`select name, checksum from schema_migrations`
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}
