import {
  claimForcedFetch,
  findAction,
  findCatalog,
  storeCatalog,
  type CatalogRow,
  type CatalogState,
} from '../../db/connectors/catalog.ts'
import { readClock, updateActiveConnections } from '../../db/connectors/connections.ts'
import { toEntityId, type ConnectorAction, type Entity } from '../../domain/connectors/connector.ts'
import { explainUnusableSchema } from '../../domain/connectors/schemas.ts'
import { storableJson } from '../../domain/fields/storable.ts'
import { withRetries, systemClock } from '../../providers/retry.ts'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import type { BrokerPort } from '../../providers/connectors/index.ts'
import { ApiError } from '../http/errors.ts'
import { callBroker } from './errors.ts'
import { brokerCall, type BrokerDeps } from './route-defaults.ts'

const maxActions = 10_000

/** Running fetches of this process, by entity id. Concurrent requests for the catalog of an entity share one fetch. */
const runningFetches = new WeakMap<BrokerDeps['connectors'], Map<string, Promise<void>>>()

/**
 * Ensures that the entity has a catalog. Returns the toolkits that are missing because their broker did not respond. A
 * stale catalog (one hour old, or incomplete for a minute) is refreshed in the background. A complete catalog that lacks a
 * toolkit is refreshed first.
 */
export async function ensureCatalog(deps: BrokerDeps, entity: Entity): Promise<string[]> {
  const state = await findCatalog(deps.db, entity)
  const missing = listMissingToolkits(deps, state)
  if (state === undefined) await fetchCatalog(deps, entity)
  else if (missing.length > 0 && !state.wasIncomplete) await refreshOrLog(deps, entity)
  else {
    if (state.isStale) void refreshOrLog(deps, entity)
    return missing
  }
  return listMissingToolkits(deps, await findCatalog(deps.db, entity))
}

/**
 * Returns the action. If it is missing, fetches the catalog again, at most once a minute. If a broker does not respond,
 * throws 502, because the missing action may belong to it.
 */
export async function lookUpAction(
  deps: BrokerDeps,
  entity: Entity,
  actionSlug: string,
): Promise<CatalogRow | undefined> {
  let missing = await ensureCatalog(deps, entity)
  const toolkits = listSlugs(deps)
  let action = await findAction(deps.db, entity, { actionSlug, toolkits })
  if (action === undefined && (await claimForcedFetch(deps.db, entity))) {
    await fetchCatalog(deps, entity)
    missing = listMissingToolkits(deps, await findCatalog(deps.db, entity))
    action = await findAction(deps.db, entity, { actionSlug, toolkits })
  }
  if (action === undefined && missing.length > 0)
    throw new ApiError(
      'bad_gateway',
      `The connector broker of ${missing.join(', ')} did not list its actions; try again later`,
    )
  return action
}

export function listSlugs({ connectors }: Pick<BrokerDeps, 'connectors'>): string[] {
  return connectors.toolkits.map(({ slug }) => slug)
}

function listMissingToolkits(deps: BrokerDeps, state: CatalogState | undefined): string[] {
  return listSlugs(deps).filter((slug) => state?.toolkits.includes(slug) !== true)
}

/** Fetches the catalog again. If the broker does not respond, the old catalog stays in use. */
function refreshOrLog(deps: BrokerDeps, entity: Entity): Promise<void> {
  return fetchCatalog(deps, entity).catch((error: unknown) =>
    deps.log.warn({ err: error }, 'failed to refresh a catalog of connector actions'),
  )
}

function fetchCatalog(deps: BrokerDeps, entity: Entity): Promise<void> {
  const running = runningFetches.get(deps.connectors) ?? new Map<string, Promise<void>>()
  runningFetches.set(deps.connectors, running)
  const id = toEntityId(entity)
  const pending = running.get(id)
  if (pending !== undefined) return pending
  const fetch = callBroker(deps, 'list its actions', () => fetchFromBrokers(deps, entity)).finally(() =>
    running.delete(id),
  )
  running.set(id, fetch)
  return fetch
}

/** Stores the catalogs of the brokers that respond. Throws if no broker responds. */
async function fetchFromBrokers(deps: BrokerDeps, entity: Entity): Promise<void> {
  const { brokers } = deps.connectors
  const asOf = await readClock(deps.db)
  const results = await Promise.allSettled(brokers.map((broker) => readBroker(broker, toEntityId(entity))))
  const brokerCatalogs = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const errors = results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []))
  for (const error of errors) {
    if (brokerCatalogs.length === 0 || !(error instanceof ProviderError)) throw error
    deps.log.warn({ err: error, kind: error.kind }, 'a connector broker did not list its actions')
  }
  const actions = brokerCatalogs.flatMap((catalog) => catalog.actions)
  if (actions.length > maxActions)
    throw new ProviderError('unavailable', `the brokers returned more than ${maxActions} actions`)
  const active = brokerCatalogs.flatMap(({ connections }) =>
    connections.flatMap(({ active, connectedAccountId }) => (active ? connectedAccountId : [])),
  )
  const toolkits = brokerCatalogs.flatMap((catalog) => catalog.toolkits)
  const previousToolkits = (await findCatalog(deps.db, entity))?.toolkits ?? []
  const missing = listSlugs(deps).filter((slug) => previousToolkits.includes(slug) && !toolkits.includes(slug))
  await deps.db.begin(async (tx) => {
    await storeCatalog(tx, entity, { toolkits, missing, isComplete: errors.length === 0, actions })
    await updateActiveConnections(tx, entity, { toolkits, active, asOf })
  })
}

async function readBroker(broker: BrokerPort, entityId: string) {
  const call = brokerCall()
  const slugs = broker.toolkits.map(({ slug }) => slug)
  const [actions, connections] = await Promise.all([
    withRetries(call, systemClock, () => broker.listActions(slugs, call)),
    withRetries(call, systemClock, () => broker.listConnections(entityId, call)),
  ])
  return { toolkits: slugs, actions: actions.filter(isUsable).map(toStorable), connections }
}

/** False if the schema of the action cannot be compiled, because its parameters could not be validated. */
function isUsable({ parameters }: ConnectorAction): boolean {
  return explainUnusableSchema(parameters) === undefined
}

function toStorable(action: ConnectorAction): ConnectorAction {
  return storableJson(action) as ConnectorAction
}
