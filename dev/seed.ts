import { ensurePerson } from '../db/accounts/people.ts'
import type { Pool } from '../db/postgres/client.ts'
import { insertMember, isMember } from '../db/organizations/organizations.ts'
import { findKeyOwner, hashKey, insertKey } from '../db/accounts/keys.ts'

const email = 'demo@backline.local'

export type Seed = { apiKey: string; serverSecret: string; startCredits: number }

/** Admin organization of `npm start`, unless ADMIN_ORGANIZATION_ID names another organization. The demo account is a member. */
export const demoOperatorsId = '0b5e7a70-0000-4000-8000-000000000001'

/** Creates the demo account, its key and its admin organization if they do not exist. Returns the id of the account. */
export async function seed(db: Pool, { apiKey, serverSecret, startCredits }: Seed): Promise<string> {
  const { accountId } = await ensurePerson(db, email, startCredits)
  const keyHash = hashKey(serverSecret, apiKey)
  if (!(await findKeyOwner(db, keyHash))) await insertKey(db, { accountId, name: 'npm start', keyHash })
  await db`
    with organization as (
      insert into accounts (id, kind, name) values (${demoOperatorsId}, 'organization', 'Operators')
      on conflict (id) do nothing returning id
    )
    insert into credit_balances (account_id) select id from organization`
  if (!(await isMember(db, accountId, demoOperatorsId))) await insertMember(db, accountId, demoOperatorsId)
  return accountId
}
