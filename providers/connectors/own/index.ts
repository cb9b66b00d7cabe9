import { randomBytes } from 'node:crypto'
import { isObject, type BrokerConnection, type JsonObject } from '../../../domain/connectors/connector.ts'
import type { Grant } from '../../../domain/connectors/grant.ts'
import { remainingMs, runUntilDeadline, type ProviderCall } from '../../call.ts'
import { createEgress } from '../../egress/guarded.ts'
import { EgressError, type EgressPort } from '../../egress/index.ts'
import { ProviderError } from '../../errors/provider-error.ts'
import { retryAfterSeconds } from '../../retry.ts'
import { disconnected, notStarted, type BrokerPort, type ActionFiles } from '../index.ts'
import { createAuthorization, toDisplayName, type Authorization, type Tokens } from './authorization.ts'
import type { Description } from './description.ts'
import { buildRequest, type ServiceRequest } from './request.ts'
import { createSeal } from './seal.ts'
import { closeTokens, createTokens, openTokens, type GrantStore } from './tokens.ts'

export type FileBrokerOptions = {
  descriptions: readonly Description[]
  store: GrantStore
  files: ActionFiles
  /** Current secret of the server, then the previous secrets. */
  secrets: readonly string[]
  /** Client ids and secrets, by the names of their settings. */
  clients: Readonly<Record<string, string>>
  /** Allows HTTP and private hosts, for development. */
  allowPrivate: boolean
}

type Service = { description: Description; authorization: Authorization }
type ServiceResponse = Awaited<ReturnType<EgressPort['send']>>

const maxBytes = 5_000_000

/** Creates the broker for the services in description files. Their tokens are stored encrypted in this deployment. */
export function createFileBroker(options: FileBrokerOptions): BrokerPort {
  const { descriptions, store, files, secrets, allowPrivate } = options
  const egress = createEgress({ connectTimeoutMs: 5000, ...(allowPrivate && { mayDial: () => true }) })
  const seal = createSeal(secrets)
  const services = new Map(
    descriptions.map((description): [string, Service] => [
      description.slug,
      { description, authorization: createAuthorization(description, { egress, allowPrivate }) },
    ]),
  )
  const requireService = (toolkit: string): Service => {
    const service = services.get(toolkit)
    if (service === undefined) throw new ProviderError('invalid', 'no such toolkit')
    return service
  }
  const tokens = createTokens({ store, seal }, (toolkit) => requireService(toolkit).authorization)

  const send = async (
    request: ServiceRequest,
    headers: Record<string, string>,
    call: ProviderCall,
  ): Promise<ServiceResponse> => {
    try {
      return await egress.send({
        ...request,
        headers: { accept: 'application/json', ...request.headers, ...headers },
        timeoutMs: remainingMs(call, Date.now()),
        maxRedirects: 0,
        secureOnly: !allowPrivate,
        maxBytes,
        ...(call.signal && { signal: call.signal }),
      })
    } catch (error) {
      throw error instanceof EgressError ? toProviderError(error) : error
    }
  }

  const completeGrant = async (
    grant: Grant,
    returned: URLSearchParams,
    call: ProviderCall,
  ): Promise<Grant | undefined> => {
    const { connectedAccountId: id } = grant
    const { verifier, callbackUrl } = openRequest(seal.open(grant.sealed, id).text)
    // Stored before the exchange, so that after an interruption a second exchange recovers or revokes the tokens.
    const request = seal.close(JSON.stringify({ verifier, callbackUrl, returned: returned.toString() }), id)
    await store.change(id, () => Promise.resolve({ state: 'exchanging', sealed: request }))
    return exchange(grant, { verifier, callbackUrl, returned }, call)
  }

  const exchange = async (
    { connectedAccountId: id, toolkit }: Grant,
    { verifier, callbackUrl, returned }: { verifier: string; callbackUrl: string; returned: URLSearchParams },
    call: ProviderCall,
  ): Promise<Grant | undefined> => {
    const service = requireService(toolkit)
    const { accountName, ...newTokens } = await service.authorization
      .finish(callbackUrl, returned, verifier)
      .catch(async (error: unknown) => {
        if (error instanceof ProviderError && error.kind === 'declined')
          await store.change(id, () => Promise.resolve({ state: 'lost', sealed: '' }))
        throw error
      })
    const sealed = closeTokens(seal, id, newTokens)
    // Stored before the account name is read, because only stored tokens can be revoked.
    const stored = await store.change(id, () => Promise.resolve({ state: 'granted', sealed, accountName }))
    if (stored === undefined) await revoke(service, () => newTokens)
    if (accountName !== null || stored === undefined) return stored
    const name = await readAccountName(toolkit, newTokens.accessToken, call)
    return name === null
      ? stored
      : store.change(id, ({ state, sealed }) => Promise.resolve({ state, sealed, accountName: name }))
  }

  /** Reads the account name of a token with the operation in the description; null without an operation or if it fails. */
  const readAccountName = async (toolkit: string, token: string, call: ProviderCall): Promise<string | null> => {
    const { account, operations, server, headers } = requireService(toolkit).description
    const operation = operations.find(({ id }) => id === account?.operation)
    if (account === undefined || operation === undefined) return null
    try {
      const request = await buildRequest(server, operation, {}, files)
      const response = await send(request, { ...headers, authorization: `Bearer ${token}` }, call)
      return toDisplayName(toResult(response)[account.member])
    } catch (error) {
      if (error instanceof ProviderError) return null
      throw error
    }
  }

  return {
    toolkits: descriptions.map(({ slug, name }) => ({ slug, name })),
    honorsKeys: (toolkit) => services.get(toolkit)?.description.idempotencyHeader !== undefined,
    listConnections: async (entityId) => (await store.list(entityId)).map(toConnection),
    listActions: (toolkits) =>
      Promise.resolve(
        descriptions
          .filter(({ slug }) => toolkits.includes(slug))
          .flatMap(({ operations }) => operations.map(({ action }) => action)),
      ),
    authorize: ({ entityId, toolkit, callbackUrl, state }, call) =>
      runUntilDeadline(call, async () => {
        const { redirectUrl, verifier } = await requireService(toolkit).authorization.begin(callbackUrl, state)
        const connectedAccountId = `ca_${randomBytes(18).toString('hex')}`
        const sealed = seal.close(JSON.stringify({ verifier, callbackUrl }), connectedAccountId)
        await store.insert({ connectedAccountId, entityId, toolkit, sealed })
        return { redirectUrl, connectedAccountId }
      }),
    getConnection: (connectedAccountId, returned, call) =>
      runUntilDeadline(call, async () => {
        const grant = await store.find(connectedAccountId)
        const completed = grant?.state === 'requested' ? await completeGrant(grant, returned, call) : grant
        if (completed === undefined) throw new ProviderError('not_found', 'no such connection')
        return toConnection(completed)
      }),
    settle: (connectedAccountId, call) =>
      runUntilDeadline(call, async () => {
        const grant = await store.find(connectedAccountId)
        if (grant?.state !== 'exchanging') return 'settled'
        const { verifier, callbackUrl, returned = '' } = openRequest(seal.open(grant.sealed, connectedAccountId).text)
        try {
          // For a used code, the server returns no tokens and revokes the tokens that it issued for it (RFC 6749, 4.1.2).
          await exchange(grant, { verifier, callbackUrl, returned: new URLSearchParams(returned) }, call)
          return 'settled'
        } catch (error) {
          if (!(error instanceof ProviderError) || error.isRetryable) throw error
          return 'lost'
        }
      }),
    disconnect: (connectedAccountId, call, { isGrantInUse = false } = {}) =>
      runUntilDeadline(call, async () => {
        const grant = await store.find(connectedAccountId)
        if (grant?.state === 'granted' && !isGrantInUse)
          await revoke(requireService(grant.toolkit), () => openTokens(seal, grant).tokens)
        await store.delete(connectedAccountId)
      }),
    execute: async ({ entityId, connectedAccountId, action, parameters, key }, call) => {
      const { description } = requireService(action.toolkit)
      const operation = description.operations.find((candidate) => candidate.action.actionSlug === action.actionSlug)
      if (operation === undefined) throw new ProviderError('invalid', 'no such action')
      const grant = await store.find(connectedAccountId)
      if (grant?.entityId !== entityId || grant.toolkit !== action.toolkit) throw disconnectedError()
      const request = await buildRequest(description.server, operation, parameters, files)
      const { idempotencyHeader } = description
      const headers = {
        ...description.headers,
        ...(idempotencyHeader !== undefined && key !== undefined && { [idempotencyHeader]: key }),
      }
      const attempt = (token: string) => send(request, { ...headers, authorization: `Bearer ${token}` }, call)
      const token = await markNotStarted(tokens.read(grant))
      const response = await attempt(token)
      if (response.status !== 401) return { result: toResult(response) }
      // The service rejected the token without executing the action, so the call is safe to repeat with another token.
      const currentGrant = (await store.find(connectedAccountId)) ?? grant
      const retried = await attempt(await markNotStarted(tokens.read(currentGrant, token)))
      if (retried.status === 401) throw disconnectedError()
      return { result: toResult(retried) }
    },
    planFile: (mimetype) => files.planKey(mimetype),
    storeFile: async ({ bytes, mimetype, accountId, plannedKey: key = files.planKey(mimetype) }) => {
      await files.save(key, bytes, { mimetype, accountId })
      return { key }
    },
    dropFile: (key) => files.drop(key),
  }
}

/** Adds the code `notStarted` to an error of reading the token, because the action was not executed. */
async function markNotStarted(reading: Promise<string>): Promise<string> {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof ProviderError) || error.code === disconnected) throw error
    throw new ProviderError(error.kind, error.message, { code: notStarted })
  }
}

/** Revokes tokens. Succeeds if the server rejects the tokens as unknown. Throws if the tokens cannot be decrypted. */
async function revoke({ authorization }: Service, open: () => Tokens): Promise<void> {
  try {
    await authorization.revoke(open())
  } catch (error) {
    if (!(error instanceof ProviderError) || error.isRetryable) throw error
  }
}

function toConnection({ connectedAccountId, entityId, toolkit, state, accountName }: Grant): BrokerConnection {
  return { connectedAccountId, entityId, toolkit, active: state === 'granted', accountName }
}

type AuthorizationRequest = { verifier: string; callbackUrl: string; returned?: string }

function openRequest(text: string): AuthorizationRequest {
  return JSON.parse(text) as AuthorizationRequest
}

function toResult({ status, headers, body, truncated }: ServiceResponse): JsonObject {
  if (status === 429) {
    const seconds = retryAfterSeconds([headers['retry-after']].flat()[0])
    throw new ProviderError('rate_limited', 'the service limits the rate of calls', {
      code: '429',
      ...(seconds !== undefined && { retryAfterSeconds: seconds }),
    })
  }
  if (status >= 500) throw new ProviderError('unavailable', `the service responded with status ${status}`)
  if (status === 400 || status === 422)
    throw new ProviderError('invalid', 'the service rejected the parameters', { code: String(status) })
  if (status >= 300) throw new ProviderError('declined', 'the service rejected the action', { code: String(status) })
  if (truncated) throw new ProviderError('unavailable', 'the response of the service is too long')
  return parseContent(body, [headers['content-type']].flat()[0] ?? '')
}

/** Returns a JSON object unchanged. Wraps any other content in an object. */
function parseContent(body: Uint8Array, contentType: string): JsonObject {
  if (body.length === 0) return {}
  const text = Buffer.from(body).toString('utf8')
  if (/^application\/([\w.+-]+\+)?json\b/.test(contentType)) {
    try {
      const value: unknown = JSON.parse(text)
      return isObject(value) ? value : { value }
    } catch {
      throw new ProviderError('unavailable', 'the response of the service is not JSON')
    }
  }
  return contentType.startsWith('text/')
    ? { text }
    : { content_type: contentType, base64: Buffer.from(body).toString('base64') }
}

/** Maps egress errors. If the request may have been sent, the kind is one whose outcome is unknown. */
function toProviderError({ reason }: EgressError): ProviderError {
  if (reason === 'time') return new ProviderError('timeout', 'the service did not respond in time')
  if (reason === 'connection' || reason === 'response')
    return new ProviderError('unavailable', 'the service did not return a complete response')
  return new ProviderError('declined', `the request to the service was rejected: ${reason}`)
}

function disconnectedError(): ProviderError {
  return new ProviderError('declined', 'the grant no longer exists', { code: disconnected })
}
