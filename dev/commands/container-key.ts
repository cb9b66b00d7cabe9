import { loadConfig } from '../../config.ts'
import { hashKey, insertKey, newRawKey } from '../../db/accounts/keys.ts'
import { ensurePerson } from '../../db/accounts/people.ts'
import { connect } from '../../db/postgres/client.ts'
import { isDatabaseUnavailable } from '../../db/postgres/failures.ts'
import { normalizeEmail } from '../../domain/mail/addresses.ts'
import { developmentToken } from '../../providers/identity/development-token.ts'
import { CommandRefusedError, runCommand, print } from '../say.ts'

// Bundled for the container: `node dist/key.js <email>` creates an account if it does not exist, and prints a new API
// key and, with the embedded issuer, a console sign-in link.
await runCommand(async () => {
  const [address = '', ...rest] = process.argv.slice(2)
  const email = normalizeEmail(address)
  if (email === undefined || rest.length > 0) throw new CommandRefusedError('Argument: <email address of the account>')
  const { DATABASE_URL, SERVER_SECRET, IDENTITY_ISSUER, START_CREDITS, baseUrl } = loadConfig()
  if (DATABASE_URL === undefined || SERVER_SECRET === undefined)
    throw new CommandRefusedError('Set DATABASE_URL and SERVER_SECRET to the values of the API.')
  const db = connect({ url: DATABASE_URL, max: 1, name: 'backline key' })
  try {
    const { accountId } = await ensurePerson(db, email, START_CREDITS)
    const key = newRawKey()
    await insertKey(db, { accountId, name: 'created by key.js', keyHash: hashKey(SERVER_SECRET, key) })
    print(key)
    if (IDENTITY_ISSUER === undefined)
      print(`Console: ${new URL(`/identity/open/${developmentToken(SERVER_SECRET)}?email=${email}`, baseUrl).href}`)
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw new CommandRefusedError('Postgres does not respond: is it running?')
    throw error
  } finally {
    await db.end({ timeout: 1 })
  }
})
