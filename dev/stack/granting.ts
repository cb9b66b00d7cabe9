import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { findPayer } from '../../db/accounts/people.ts'
import type { Pool } from '../../db/postgres/client.ts'
import { isDatabaseUnavailable } from '../../db/postgres/failures.ts'
import { creditAccount } from '../../db/credits/ledger.ts'
import { normalizeEmail } from '../../domain/mail/addresses.ts'
import { isUuid } from '../../domain/fields/ids.ts'
import { creditsToUsd } from '../../domain/credits/money.ts'
import { readMessage, CommandRefusedError, print } from '../say.ts'
import { withDatabase } from './with-database.ts'

const usage = 'Arguments: <account id or email> <credits> --reason "..." [--actor <account id or email>] [--id <uuid>]'

export type Grant = { account: string; credits: number; reason: string; actor: string | undefined; id: string }

/** Parses the command line. A grant that is repeated with the same id is booked once. */
export function parseGrant(args: string[]): Grant {
  const { values, positionals } = parse(args)
  const [account, digits, ...rest] = positionals
  const credits = Number(digits)
  if (account === undefined || rest.length > 0 || !values.reason) throw new CommandRefusedError(usage)
  if (!/^\d+$/.test(digits ?? '') || !Number.isSafeInteger(credits) || credits < 1)
    throw new CommandRefusedError(
      `<credits> must be a positive integer. One credit is one millionth of a US dollar.\n${usage}`,
    )
  const id = values.id?.toLowerCase() ?? randomUUID()
  if (!isUuid(id)) throw new CommandRefusedError(`--id must be a UUID.\n${usage}`)
  return { account, credits, reason: values.reason, actor: values.actor, id }
}

/** Books the grant once. Returns a sentence with the result. */
export async function grant(db: Pool, { account, credits, reason, actor, id }: Grant): Promise<string> {
  const accountId = await requireAccount(db, account)
  const actorId = actor === undefined ? undefined : await requireAccount(db, actor)
  const booked = await db.begin((tx) =>
    creditAccount(tx, { accountId, amount: credits, reference: `grant:${id}`, kind: 'grant', actor: actorId, reason }),
  )
  return booked
    ? `Granted ${credits} credits (${creditsToUsd(credits)} USD) to ${accountId} as grant:${id}.`
    : `grant:${id} was already booked: nothing changed.`
}

/** Runs the command on the database at the URL that `readDatabaseUrl` returns. */
export async function runGrant(args: string[], readDatabaseUrl: () => Promise<string> | string): Promise<void> {
  const request = parseGrant(args)
  const database = { url: await readDatabaseUrl(), name: 'backline grant' }
  const result = await withDatabase(database, (db) => grant(db, request)).catch((error: unknown) => {
    throw isDatabaseUnavailable(error) ? new CommandRefusedError('Postgres does not respond: is it running?') : error
  })
  print(result)
}

function parse(args: string[]) {
  const options = { reason: { type: 'string' }, actor: { type: 'string' }, id: { type: 'string' } } as const
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new CommandRefusedError(`${readMessage(error)}\n${usage}`)
  }
}

async function requireAccount(db: Pool, account: string): Promise<string> {
  const accountId = await findPayer(db, isUuid(account) ? account : (normalizeEmail(account) ?? account))
  if (accountId === undefined)
    throw new CommandRefusedError(`No person or organization has the id or email address ${account}.`)
  return accountId
}
