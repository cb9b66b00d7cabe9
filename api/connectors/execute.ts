import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { claimAction, releaseAction } from '../../db/connectors/action-claims.ts'
import { expireCatalog, type CatalogRow } from '../../db/connectors/catalog.ts'
import { deactivateConnection } from '../../db/connectors/connections.ts'
import { findBrokerKey } from '../../db/connectors/action-files.ts'
import { toEntityId, type Entity, type JsonObject } from '../../domain/connectors/connector.ts'
import { fileDescriptor, listFiles, replaceFiles } from '../../domain/connectors/action-files.ts'
import type { executeBody } from '../../domain/connectors/request.ts'
import { disconnected, notStarted } from '../../providers/connectors/index.ts'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import { systemClock, withRetries } from '../../providers/retry.ts'
import { recordAuditObject } from '../access/audit.ts'
import { ApiError } from '../http/errors.ts'
import type { Caller, Idempotency } from '../http/route.ts'
import { lookUpAction } from './catalog.ts'
import { brokerCall, type ConnectorDeps } from './route-defaults.ts'

const maxResultBytes = 5_000_000

type ActionRequest = {
  caller: Caller
  entity: Entity
  body: z.output<typeof executeBody>
  key: string | undefined
  idempotency: Idempotency
  requestId: string
}

/**
 * Looks up the action, validates its parameters and executes it once. If the outcome is unknown, throws a 502 that states
 * this. With an idempotency key, this response is stored, so that a retry does not repeat the action.
 */
export async function executeAction(deps: ConnectorDeps, request: ActionRequest): Promise<JsonObject> {
  const { caller, entity, body } = request
  recordAuditObject(caller, body.actionSlug)
  const action = await lookUpAction(deps, entity, body.actionSlug)
  if (action === undefined) throw new ApiError('not_found', 'Action not found in any connector of the account')
  const parameters = await checkParameters(deps, entity, action, body.parameters)
  if (action.connectedAccountId === null) throw notConnected(action)
  const reference = request.key === undefined ? undefined : deriveReference(request, request.key)
  try {
    return await runOnce(deps, request, {
      action,
      connectedAccountId: action.connectedAccountId,
      parameters,
      reference,
    })
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    throw await recordFailure(deps, request, action, reference, error)
  }
}

type Execution = {
  action: CatalogRow
  connectedAccountId: string
  parameters: JsonObject
  reference: string | undefined
}

async function runOnce(
  { db, config, connectors }: ConnectorDeps,
  { caller, entity, requestId }: ActionRequest,
  { action, connectedAccountId, parameters, reference }: Execution,
): Promise<JsonObject> {
  const broker = connectors.findBroker(action.toolkit)
  if (broker === undefined) throw notConnected(action)
  const honorsKeys = broker.honorsKeys(action.toolkit)
  const isFirst = reference === undefined || (await claimAction(db, reference, caller.accountId))
  // An earlier attempt claimed the action and stored no response, because its process ended during the action.
  if (!isFirst && !honorsKeys) throw new ProviderError('timeout', 'the outcome of an earlier attempt is unknown')
  const call = brokerCall(requestId, config.CONNECTOR_ACTION_SECONDS * 1000)
  const executeOnce = () =>
    broker.execute(
      {
        entityId: toEntityId(entity),
        connectedAccountId,
        action,
        parameters,
        key: honorsKeys ? reference : undefined,
      },
      call,
    )
  const { result } =
    reference !== undefined && honorsKeys ? await withRetries(call, systemClock, executeOnce) : await executeOnce()
  if (Buffer.byteLength(JSON.stringify(result)) > maxResultBytes)
    throw new ProviderError('unavailable', 'the result exceeds 5 MB')
  return result
}

/** Updates the connection, the catalog and the claim after a failed action, and returns the error to throw. */
async function recordFailure(
  { db, log }: ConnectorDeps,
  { entity, idempotency }: ActionRequest,
  action: CatalogRow,
  reference: string | undefined,
  error: ProviderError,
): Promise<ApiError> {
  log.warn({ err: error, kind: error.kind, action: action.actionSlug }, 'a connector action failed')
  const isOutcomeUnknown = (error.kind === 'timeout' || error.kind === 'unavailable') && error.code !== notStarted
  if (!isOutcomeUnknown) {
    if (reference !== undefined) await releaseAction(db, reference)
    if (error.code === disconnected && action.connectedAccountId !== null) {
      await deactivateConnection(db, action.connectedAccountId)
      return notConnected(action)
    }
    // The service may have changed the parameters of the action.
    if (error.kind === 'invalid') await expireCatalog(db, entity)
    return new ApiError(
      'bad_gateway',
      error.code === notStarted
        ? 'The service could not be reached; the action was not executed'
        : `The service rejected the action${describeStatus(error)}`,
    )
  }
  const message =
    error.kind === 'timeout'
      ? 'The service did not respond in time; the action may have been executed'
      : 'The service returned an invalid response; the action may have been executed'
  if (reference !== undefined)
    await db.begin((tx) => idempotency.remember(tx, { status: 502, body: { error: 502, message } }))
  return new ApiError('bad_gateway', message)
}

function describeStatus({ code }: ProviderError): string {
  return code !== undefined && /^\d{3}$/.test(code) ? ` with status ${code}` : ''
}

/** Validates the parameters and replaces files in them with the broker's keys. */
async function checkParameters(
  { db, schemas, log }: ConnectorDeps,
  entity: Entity,
  action: CatalogRow,
  parameters: JsonObject,
): Promise<JsonObject> {
  const verdict = await schemas.check(entity.workspaceId, action.parameters, parameters)
  if (verdict === 'timeout') throw new ApiError('invalid_request', 'parameters take too long to validate')
  if ('unusable' in verdict) {
    log.error({ action: action.actionSlug }, 'the parameter schema of a connector action cannot be compiled')
    throw new ApiError('bad_gateway', "The connector's schema for this action is invalid")
  }
  if (!verdict.valid) throw new ApiError('invalid_request', verdict.error)
  const { fileFields, toolkit } = action
  const keys = new Map<unknown, string>()
  for (const file of listFiles(parameters, fileFields)) {
    const descriptor = fileDescriptor.safeParse(file).data
    const brokerKey = descriptor && (await findBrokerKey(db, { ...entity, toolkit }, descriptor))
    if (descriptor === undefined || brokerKey === undefined)
      throw new ApiError('invalid_request', `${fileFields.join(', ')} must be an action file of this connector`)
    keys.set(file, brokerKey)
  }
  return replaceFiles(parameters, fileFields, (file) => ({ ...(file as JsonObject), key: keys.get(file) }))
}

function notConnected({ toolkit }: CatalogRow): ApiError {
  return new ApiError('conflict', `${toolkit} is not connected: authorize it first`)
}

/** Derives the reference of an action from the caller, the Idempotency-Key and the request body. */
function deriveReference({ caller, body }: ActionRequest, key: string): string {
  return createHash('sha256')
    .update(`${caller.accountId}\0${key}\0${JSON.stringify(body)}`)
    .digest('hex')
}
