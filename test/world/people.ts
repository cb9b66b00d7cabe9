import { randomUUID } from 'node:crypto'
import { ensurePerson } from '../../db/accounts/people.ts'
import type { Pool } from '../../db/postgres/client.ts'
import { hashKey, insertKey, newRawKey } from '../../db/accounts/keys.ts'

export type Person = { id: string; email: string; key: string }

/** Inserts a key of the account into the database and returns it. */
export const makeKey = async (
  db: Pool,
  serverSecret: string,
  accountId: string,
  options: { name?: string; expiresAt?: Date } = {},
): Promise<string> => {
  const key = newRawKey()
  const { name = 'test', expiresAt } = options
  await insertKey(db, { accountId, name, keyHash: hashKey(serverSecret, key), ...(expiresAt && { expiresAt }) })
  return key
}

/** Inserts a person with a key into the database, without the API. */
export const makePerson = async (
  db: Pool,
  serverSecret: string,
  options: { email?: string | undefined; credits: number },
): Promise<Person> => {
  const email = options.email ?? `${randomUUID()}@example.com`
  const { accountId } = await ensurePerson(db, email, options.credits)
  return { id: accountId, email, key: await makeKey(db, serverSecret, accountId) }
}
