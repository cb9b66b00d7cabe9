import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../db/postgres/client.ts'
import { migrate } from '../../db/migrate.ts'
import { freePort } from '../stack/ports.ts'
import { startPostgres } from '../stack/postgres.ts'
import { print } from '../say.ts'
import { dumpSchema } from '../schema-dump.ts'

/** `npm run schema`: migrates an empty database and writes its dump to db/schema.sql. */
export async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'backline-schema-'))
  try {
    const postgres = await startPostgres({
      dataDir: join(folder, 'postgres'),
      logFile: join(folder, 'postgres.log'),
      port: await freePort(),
      password: 'schema',
      durable: false,
    })
    try {
      const db = connect({ url: postgres.url, max: 1, name: 'backline schema' })
      await migrate(db)
      await writeFile('db/schema.sql', await dumpSchema(db))
      await db.end({ timeout: 1 })
    } finally {
      await postgres.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  print('Wrote db/schema.sql.')
}
