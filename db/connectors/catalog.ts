import { toEntityId, type ConnectorAction, type Entity, type JsonObject } from '../../domain/connectors/connector.ts'
import type { Page } from '../../domain/fields/pages.ts'
import type { Db, Tx } from '../postgres/client.ts'

/**
 * State of a cached catalog. `toolkits`: the toolkits with actions. `wasIncomplete`: a broker did not respond to the latest
 * fetch.
 */
export type CatalogState = { toolkits: string[]; isStale: boolean; wasIncomplete: boolean }
export type CatalogRow = ConnectorAction & { isConnected: boolean; connectedAccountId: string | null }

/** Returns the state of the entity's catalog; undefined before the first fetch. A catalog is stale after an hour. */
export async function findCatalog(db: Db, entity: Entity): Promise<CatalogState | undefined> {
  const [row] = await db<CatalogState[]>`
    select to_json(toolkits) as toolkits, fetched_at <= now() - interval '1 hour' as is_stale,
      coalesce(forced_at > fetched_at, false) as was_incomplete
    from connector_catalogs where entity_id = ${toEntityId(entity)}`
  return row
}

/**
 * Replaces the catalog of an entity. The toolkits in `missing`, which could not be fetched, keep their previous actions. An
 * incomplete catalog becomes stale within a minute.
 */
export async function storeCatalog(
  tx: Tx,
  entity: Entity,
  catalog: {
    toolkits: readonly string[]
    missing: readonly string[]
    isComplete: boolean
    actions: readonly ConnectorAction[]
  },
): Promise<void> {
  const id = toEntityId(entity)
  const { toolkits, missing, isComplete, actions } = catalog
  const fetchedAt = isComplete ? tx`now()` : tx`now() - interval '59 minutes'`
  const forcedAt = isComplete ? tx`null` : tx`now()`
  await tx`
    insert into connector_catalogs as catalog (entity_id, workspace_id, subject_id, toolkits, fetched_at, forced_at)
    values (${id}, ${entity.workspaceId}, ${entity.subjectId}, ${[...toolkits, ...missing]}::text[], ${fetchedAt}, ${forcedAt})
    on conflict (entity_id) do update
      set toolkits = excluded.toolkits, fetched_at = excluded.fetched_at,
        forced_at = coalesce(excluded.forced_at, catalog.forced_at)`
  await tx`delete from connector_actions where entity_id = ${id} and connector_slug <> all(${[...missing]}::text[])`
  const rows = actions.map(({ actionSlug, toolkit, name, description, parameters, fileFields }) => ({
    action_slug: actionSlug,
    connector_slug: toolkit,
    name,
    description,
    parameters,
    file_fields: fileFields,
  }))
  await tx`
    insert into connector_actions (entity_id, action_slug, connector_slug, name, description, parameters, file_fields)
    select ${id}, action_slug, connector_slug, name, description, parameters, file_fields
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as given (
      action_slug text, connector_slug text, name text, description text, parameters jsonb, file_fields text[]
    )
    on conflict (entity_id, action_slug) do nothing`
}

/** Marks the catalog as stale for the next read. */
export async function expireCatalog(db: Db, entity: Entity): Promise<void> {
  await db`update connector_catalogs set fetched_at = '-infinity' where entity_id = ${toEntityId(entity)}`
}

/** Claims the fetch of a catalog that lacks a requested action. Returns true at most once a minute. */
export async function claimForcedFetch(db: Db, entity: Entity): Promise<boolean> {
  const { count } = await db`
    update connector_catalogs set forced_at = now()
    where entity_id = ${toEntityId(entity)}
      and greatest(forced_at, fetched_at) <= now() - interval '1 minute'`
  return count === 1
}

/** Returns the actions of these toolkits, ordered by toolkit and action. */
export function listActions(
  db: Db,
  entity: Entity,
  { toolkits, limit, offset }: Page & { toolkits: readonly string[] },
): Promise<CatalogRow[]> {
  return db<CatalogRow[]>`
    ${selectActions(db, entity)} and connector_slug = any(${[...toolkits]}::text[])
    order by connector_slug, action_slug limit ${limit} offset ${offset}`
}

/** Returns an action of these toolkits; undefined if it is not in the catalog. */
export async function findAction(
  db: Db,
  entity: Entity,
  { actionSlug, toolkits }: { actionSlug: string; toolkits: readonly string[] },
): Promise<CatalogRow | undefined> {
  const [row] = await db<CatalogRow[]>`
    ${selectActions(db, entity)}
      and action_slug = ${actionSlug} and connector_slug = any(${[...toolkits]}::text[])`
  return row
}

function selectActions(db: Db, entity: Entity) {
  return db<{ parameters: JsonObject }[]>`
    select action_slug, connector_slug as toolkit, name, description, parameters, to_json(file_fields) as file_fields,
      connection.connected_account_id is not null as is_connected, connection.connected_account_id
    from connector_actions action
    left join connector_connections connection
      on connection.workspace_id = ${entity.workspaceId} and connection.subject_id = ${entity.subjectId}
      and connection.toolkit = action.connector_slug and connection.active and connection.replaced_at is null
    where entity_id = ${toEntityId(entity)}`
}
