import { parseEntityId } from '../../domain/connectors/connector.ts'
import type { Grant, GrantChange } from '../../domain/connectors/grant.ts'
import type { Pool } from '../postgres/client.ts'

/** Storage of OAuth grants. The caller encrypts them. */
export function createGrantStore(db: Pool) {
  const columns = db`
    connected_account_id, workspace_id || ':' || subject_id as entity_id, toolkit, state, sealed, account_name`
  return {
    insert: async ({
      connectedAccountId,
      entityId,
      toolkit,
      sealed,
    }: Omit<Grant, 'state' | 'accountName'>): Promise<void> => {
      const { workspaceId, subjectId } = parseEntityId(entityId)
      await db`
        insert into connector_grants (connected_account_id, workspace_id, subject_id, toolkit, state, sealed)
        values (${connectedAccountId}, ${workspaceId}, ${subjectId}, ${toolkit}, 'requested', ${sealed})`
    },
    find: async (connectedAccountId: string): Promise<Grant | undefined> => {
      const [row] = await db<Grant[]>`
        select ${columns} from connector_grants where connected_account_id = ${connectedAccountId}`
      return row
    },
    list: (entityId: string): Promise<Grant[]> => {
      const { workspaceId, subjectId } = parseEntityId(entityId)
      return db<Grant[]>`
        select ${columns} from connector_grants where workspace_id = ${workspaceId} and subject_id = ${subjectId}`
    },
    /** Changes a grant under a lock, so that only one caller across all processes uses it at a time. */
    change: (
      connectedAccountId: string,
      work: (grant: Grant) => Promise<GrantChange | undefined>,
    ): Promise<Grant | undefined> =>
      db.begin(async (tx) => {
        const [row] = await tx<Grant[]>`
          select ${columns} from connector_grants where connected_account_id = ${connectedAccountId} for update`
        if (row === undefined) return undefined
        const change = await work(row)
        if (change === undefined) return row
        await tx`
          update connector_grants
          set state = ${change.state}, sealed = ${change.sealed},
            account_name = coalesce(${change.accountName ?? null}, account_name)
          where connected_account_id = ${connectedAccountId}`
        return { ...row, ...change }
      }),
    delete: async (connectedAccountId: string): Promise<void> => {
      await db`delete from connector_grants where connected_account_id = ${connectedAccountId}`
    },
  }
}
