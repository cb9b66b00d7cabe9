import { parseEntityId, type BrokerConnection } from '../../domain/connectors/connector.ts'
import type { DemoItem, NewDemoItem } from '../../domain/connectors/demo.ts'
import type { Db, Pool, Tx } from '../postgres/client.ts'

/** Account name that the embedded broker reports for every connection. */
const demoAccount = 'demo account'

/** Storage of the embedded broker: connections, notes and events. */
export function createDemoStore(db: Pool) {
  return {
    insertConnection: async (
      id: string,
      { entityId, toolkit, recipient }: { entityId: string; toolkit: string; recipient: string },
    ): Promise<void> => {
      const { workspaceId, subjectId } = parseEntityId(entityId)
      await db`
        insert into connector_demo_connections (connected_account_id, workspace_id, subject_id, toolkit, recipient)
        values (${id}, ${workspaceId}, ${subjectId}, ${toolkit}, ${recipient})`
    },
    findConnection: async (id: string): Promise<(BrokerConnection & { recipient: string | null }) | undefined> => {
      const [row] = await db<(BrokerConnection & { recipient: string | null })[]>`
        select connected_account_id, workspace_id || ':' || subject_id as entity_id, toolkit, active,
          ${demoAccount} as account_name, recipient
        from connector_demo_connections where connected_account_id = ${id}`
      return row
    },
    activateConnection: async (id: string): Promise<void> => {
      await db`update connector_demo_connections set active = true where connected_account_id = ${id}`
    },
    deleteConnection: async (id: string): Promise<void> => {
      await db`delete from connector_demo_connections where connected_account_id = ${id}`
    },
    listConnections: async (entityId: string): Promise<BrokerConnection[]> => {
      const { workspaceId, subjectId } = parseEntityId(entityId)
      return db<BrokerConnection[]>`
        select connected_account_id, ${entityId} as entity_id, toolkit, active, ${demoAccount} as account_name
        from connector_demo_connections
        where workspace_id = ${workspaceId} and subject_id = ${subjectId}`
    },
    listItems: (entityId: string, kind: DemoItem['kind']) => listItems(db, entityId, kind),
    /** Runs `work` once per key. A repeated key returns the earlier result. */
    once: <T>(key: string | undefined, work: (rows: ReturnType<typeof createItemRows>) => Promise<T>): Promise<T> =>
      db.begin(async (tx) => {
        if (key === undefined) return work(createItemRows(tx))
        await tx`select pg_advisory_xact_lock(hashtextextended(${`demo ${key}`}, 0))`
        const [receipt] = await tx<{ result: T }[]>`
          select result from connector_demo_receipts where key = ${key}`
        if (receipt !== undefined) return receipt.result
        const result = await work(createItemRows(tx))
        await tx`
          insert into connector_demo_receipts (key, result) values (${key}, ${JSON.stringify(result)}::text::jsonb)`
        return result
      }) as Promise<T>,
  }
}

function createItemRows(tx: Tx) {
  return {
    insertItem: async (entityId: string, item: NewDemoItem): Promise<DemoItem> => {
      const { workspaceId, subjectId } = parseEntityId(entityId)
      const [row] = await tx<[DemoItem]>`
        insert into connector_demo_items (workspace_id, subject_id, kind, title, body, starts_at, ends_at)
        values (${workspaceId}, ${subjectId}, ${item.kind}, ${item.title}, ${item.body}, ${item.startsAt},
          ${item.endsAt})
        returning id, kind, title, body, starts_at, ends_at, created_at`
      return row
    },
    deleteItem: async (entityId: string, kind: DemoItem['kind'], id: string): Promise<boolean> => {
      const { workspaceId, subjectId } = parseEntityId(entityId)
      const { count } = await tx`
        delete from connector_demo_items where id::text = ${id} and kind = ${kind}
          and workspace_id = ${workspaceId} and subject_id = ${subjectId}`
      return count === 1
    },
  }
}

/** Returns up to 1000 items in the order of their start times; items without a start by their creation time. */
async function listItems(db: Db, entityId: string, kind: DemoItem['kind']): Promise<DemoItem[]> {
  const { workspaceId, subjectId } = parseEntityId(entityId)
  return db<DemoItem[]>`
    select id, kind, title, body, starts_at, ends_at, created_at from connector_demo_items
    where workspace_id = ${workspaceId} and subject_id = ${subjectId} and kind = ${kind}
    order by coalesce(starts_at, created_at), id limit 1000`
}
