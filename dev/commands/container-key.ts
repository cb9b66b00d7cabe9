import { loadConfig } from '../../config.ts'
import { hashKey, insertKey, newRawKey } from '../../db/accounts/keys.ts'
import { ensurePerson } from '../../db/accounts/people.ts'
import { isDatabaseUnavailable } from '../../db/postgres/failures.ts'
import { normalizeEmail } from '../../domain/mail/addresses.ts'
import { developmentToken } from '../../providers/identity/development-token.ts'
import { CommandRefusedError, runCommand, print } from '../say.ts'
import { withDatabase } from '../stack/with-database.ts'

// Bundled for the container: `node dist/key.js <email>` creates an account if it does not exist, and prints a new API
// key and, with the embedded issuer, a console sign-in link.
await runCommand(async () => {
  const [address = '', ...rest] = process.argv.slice(2)
  const email = normalizeEmail(address)
  if (email === undefined || rest.length > 0) throw new CommandRefusedError('Argument: <email address of the account>')
  const { DATABASE_URL, SERVER_SECRET, IDENTITY_ISSUER, START_CREDITS, baseUrl } = loadConfig()
  if (DATABASE_URL === undefined || SERVER_SECRET === undefined)
    throw new CommandRefusedError('Set DATABASE_URL and SERVER_SECRET to the values of the API.')
  const key = newRawKey()
  await withDatabase({ url: DATABASE_URL, name: 'backline key' }, async (db) => {
    const { accountId } = await ensurePerson(db, email, START_CREDITS)
    await insertKey(db, { accountId, name: 'created by key.js', keyHash: hashKey(SERVER_SECRET, key) })
  }).catch((error: unknown) => {
    throw isDatabaseUnavailable(error) ? new CommandRefusedError('Postgres does not respond: is it running?') : error
  })
  print(key)
  if (IDENTITY_ISSUER === undefined)
    print(`Console: ${new URL(`/identity/open/${developmentToken(SERVER_SECRET)}?email=${email}`, baseUrl).href}`)
})
