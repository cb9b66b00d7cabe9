import { loadConfig } from '../../config.ts'
import { raiseEpoch } from '../../db/deployment.ts'
import { CommandRefusedError, runCommand, print } from '../say.ts'
import { migrateForStart } from '../stack/migrating.ts'
import { withDatabase } from '../stack/with-database.ts'

// Runs from the source tree and, bundled, in the container.
await runCommand(async () => {
  const { DATABASE_URL, DATABASE_MIGRATION_URL: owner = DATABASE_URL } = loadConfig()
  if (DATABASE_URL === undefined || owner === undefined)
    throw new CommandRefusedError(
      'Set DATABASE_URL to the database to migrate. `npm start` migrates the embedded database automatically.',
    )
  await withDatabase({ url: owner, name: 'backline migrate' }, async (db) => {
    const applied = await migrateForStart(db, { ownerUrl: owner, applicationUrl: DATABASE_URL })
    print(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The schema is up to date.')
    if (process.argv.includes('--take-over'))
      print(`Epoch ${await raiseEpoch(db)}: processes with this database take over the task queue when they start.`)
  })
})
