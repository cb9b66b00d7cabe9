import { loadConfig } from '../../config.ts'
import { runGrant } from '../stack/granting.ts'
import { CommandRefusedError, runCommand } from '../say.ts'

function databaseUrl(): string {
  const { DATABASE_URL } = loadConfig()
  if (DATABASE_URL === undefined) throw new CommandRefusedError('Set DATABASE_URL to the database with the account.')
  return DATABASE_URL
}

// Entry point of `dist/grant.js`, which is run in the container.
await runCommand(() => runGrant(process.argv.slice(2), databaseUrl))
