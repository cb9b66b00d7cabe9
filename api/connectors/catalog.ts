import {
  claimForcedFetch,
  findAction,
  findCatalog,
  storeCatalog,
  type CatalogRow,
} from '../../db/connectors/catalog.ts'
import { setActive } from '../../db/connectors/connections.ts'
import { entityIdOf, type ConnectorAction, type Entity } from '../../domain/connectors/connector.ts'
import { schemaFault } from '../../domain/connectors/schemas.ts'
import { storableJson } from '../../domain/fields/storable.ts'
import { withRetries, systemClock } from '../../providers/retry.ts'
import { ProviderFault } from '../../providers/fault.ts'
import type { BrokerPort } from '../../providers/connectors/index.ts'
import type { ApiDeps } from '../deps.ts'
import { askBroker } from './faults.ts'
import { brokerCall } from './route-defaults.ts'

export type CatalogDeps = Pick<ApiDeps, 'db' | 'log' | 'connectors'>

const maxActions = 10_000

/** Of this process: an entity's catalog is fetched by one request at a time, and the others wait for it. */
const fetching = new WeakMap<CatalogDeps['connectors'], Map<string, Promise<void>>>()

/**
 * Makes sure that there is a catalog. One that is an hour old is fetched anew behind the answer; one that was made for other
 * toolkits before it.
 */
export async function ensureCatalog(deps: CatalogDeps, entity: Entity): Promise<void> {
  const state = await findCatalog(deps.db, entity)
  const offered = slugsOf(deps)
  if (state === undefined || state.toolkits.join() !== offered.join()) return fetchCatalog(deps, entity)
  if (state.isStale)
    fetchCatalog(deps, entity).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'a catalog of connector actions stays old'),
    )
}

/** The action, from a catalog that is fetched anew, at most once a minute, when it is not in it. */
export async function lookUpAction(
  deps: CatalogDeps,
  entity: Entity,
  actionSlug: string,
): Promise<CatalogRow | undefined> {
  await ensureCatalog(deps, entity)
  const toolkits = slugsOf(deps)
  const known = await findAction(deps.db, entity, { actionSlug, toolkits })
  if (known !== undefined || !(await claimForcedFetch(deps.db, entity))) return known
  await fetchCatalog(deps, entity)
  return findAction(deps.db, entity, { actionSlug, toolkits })
}

export function slugsOf({ connectors }: Pick<CatalogDeps, 'connectors'>): string[] {
  return connectors.toolkits.map(({ slug }) => slug)
}

function fetchCatalog(deps: CatalogDeps, entity: Entity): Promise<void> {
  const running = fetching.get(deps.connectors) ?? new Map<string, Promise<void>>()
  fetching.set(deps.connectors, running)
  const id = entityIdOf(entity)
  const begun = running.get(id)
  if (begun !== undefined) return begun
  const fetch = askBroker(deps, 'list its actions', () => fetchOnce(deps, entity)).finally(() => running.delete(id))
  running.set(id, fetch)
  return fetch
}

async function fetchOnce(deps: CatalogDeps, entity: Entity): Promise<void> {
  const found = await Promise.all(deps.connectors.brokers.map((broker) => readBroker(broker, entityIdOf(entity))))
  const actions = found.flatMap((one) => one.actions)
  if (actions.length > maxActions) throw new ProviderFault('unavailable', 'more actions than a catalog may have')
  const active = found.flatMap(({ connections }) =>
    connections.flatMap(({ active, connectedAccountId }) => (active ? connectedAccountId : [])),
  )
  const toolkits = slugsOf(deps)
  await deps.db.begin(async (tx) => {
    await storeCatalog(tx, entity, { toolkits, actions })
    await setActive(tx, entity, { toolkits, active })
  })
}

async function readBroker(broker: BrokerPort, entityId: string) {
  const call = brokerCall()
  const slugs = broker.toolkits.map(({ slug }) => slug)
  const [actions, connections] = await Promise.all([
    withRetries(call, systemClock, () => broker.listActions(slugs, call)),
    withRetries(call, systemClock, () => broker.listConnections(entityId, call)),
  ])
  return { actions: actions.filter(isUsable).map(storable), connections }
}

/** A schema that nobody can validate by is no promise: its action is not offered. */
function isUsable({ parameters }: ConnectorAction): boolean {
  return schemaFault(parameters) === undefined
}

function storable(action: ConnectorAction): ConnectorAction {
  return storableJson(action) as ConnectorAction
}
