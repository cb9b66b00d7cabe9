import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from './client.ts'
import { isDatabaseAway, isDatabaseMissing } from './failures.ts'
import { pendingMigrations } from './migrate.ts'

const everyMs = 500

/** What keeps this database from being used; undefined when nothing does. */
const obstacle = async (db: Pool): Promise<string | undefined> => {
  try {
    const [first] = await pendingMigrations(db)
    return first === undefined ? undefined : `the database has not yet the migration ${first}: run \`npm run migrate\``
  } catch (error) {
    if (isDatabaseAway(error)) return 'Postgres does not answer yet'
    if (isDatabaseMissing(error)) return 'the database does not exist yet'
    throw error
  }
}

/** Resolves when Postgres answers and has the schema of this code. Says once what it waits for. */
export const untilDatabaseIsReady = async (
  db: Pool,
  say: (what: string) => void,
  signal?: AbortSignal,
): Promise<void> => {
  let said: string | undefined
  for (;;) {
    const reason = await obstacle(db)
    if (reason === undefined) return
    if (reason !== said) say(`waiting: ${reason}`)
    said = reason
    await pause(everyMs, undefined, signal === undefined ? {} : { signal })
  }
}
