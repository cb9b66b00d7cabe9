import { ensurePerson } from '../db/accounts/people.ts'
import type { Pool } from '../db/postgres/client.ts'
import { findKeyOwner, hashKey, insertKey } from '../db/accounts/keys.ts'

const email = 'demo@backline.local'

export type Seed = { apiKey: string; serverSecret: string; startCredits: number }

/** Creates the demo account and its key unless they exist. Returns the id of the account. */
export async function seed(db: Pool, { apiKey, serverSecret, startCredits }: Seed): Promise<string> {
  const { accountId } = await ensurePerson(db, email, startCredits)
  const keyHash = hashKey(serverSecret, apiKey)
  if (!(await findKeyOwner(db, keyHash))) await insertKey(db, { accountId, name: 'npm start', keyHash })
  return accountId
}
