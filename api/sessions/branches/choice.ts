import { findBranch, findSelectedBranch } from '../../../db/sessions/branches.ts'
import type { Db } from '../../../db/postgres/client.ts'
import { invalidField } from '../../http/errors.ts'

/** Returns the id of the requested branch, or of the selected branch by default; null for the trunk. */
export async function resolveBranch(db: Db, chatId: string, name: string | undefined): Promise<string | null> {
  if (name === undefined) return findSelectedBranch(db, chatId)
  const branch = await findBranch(db, chatId, name)
  if (branch === undefined) throw invalidField('branch must be the id of a branch of this chat', 'branch')
  return branch.id
}
