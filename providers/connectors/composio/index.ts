import { createHash } from 'node:crypto'
import {
  actionSlug,
  type BrokerConnection,
  type ConnectorAction,
  type Toolkit,
} from '../../../domain/connectors/connector.ts'
import { replaceFiles, withFileParameters } from '../../../domain/connectors/action-files.ts'
import { remainingMs, type ProviderCall } from '../../call.ts'
import { createEgress } from '../../egress/guarded.ts'
import { EgressError } from '../../egress/index.ts'
import { ProviderError } from '../../errors/provider-error.ts'
import { disconnected, type BrokerPort, type ActionFileInput } from '../index.ts'
import * as answers from './answers.ts'
import { createComposioClient, type SendComposioRequest } from './http.ts'

export type ComposioOptions = {
  apiUrl: string
  apiKey: string
  /** For development: allows file uploads to HTTP and private hosts. */
  allowPrivate: boolean
}

const pageSize = '1000'
const maxPages = 20

/**
 * Creates a broker that uses Composio's REST API. Composio does not support idempotency keys, so actions are not retried.
 */
export function createComposioBroker(options: ComposioOptions & { toolkits: readonly Toolkit[] }): BrokerPort {
  const { toolkits, allowPrivate } = options
  const sendRequest = createComposioClient(options)
  const egress = createEgress({ connectTimeoutMs: 5000, ...(allowPrivate && { mayDial: () => true }) })

  const readAccount = (id: string, call: ProviderCall) =>
    sendRequest({ method: 'GET', path: `/connected_accounts/${encodeURIComponent(id)}` }, answers.account, call)

  const upload = async (url: string, { bytes, mimetype }: ActionFileInput, backend: string, call: ProviderCall) => {
    try {
      const { status } = await egress.send({
        url,
        method: 'PUT',
        headers: { 'content-type': mimetype, ...(backend !== 's3' && { 'x-ms-blob-type': 'BlockBlob' }) },
        body: bytes,
        timeoutMs: remainingMs(call, Date.now()),
        maxRedirects: 0,
        maxBytes: 10_000,
        secureOnly: !allowPrivate,
      })
      if (status >= 300) throw new ProviderError('unavailable', `the upload failed with status ${status}`)
    } catch (error) {
      throw error instanceof EgressError ? new ProviderError('unavailable', error.message) : error
    }
  }

  return {
    toolkits,
    honorsKeys: () => false,
    listConnections: async (entityId, call) => {
      const query = { user_ids: entityId, limit: pageSize }
      const { items } = await sendRequest(
        { method: 'GET', path: '/connected_accounts', query },
        answers.accountList,
        call,
      )
      return items.filter((account) => account.user_id === entityId).map(toConnection)
    },
    listActions: async (slugs, call) => {
      const lists = await Promise.all(slugs.map((toolkit) => listTools(sendRequest, toolkit, call)))
      return lists.flat()
    },
    authorize: async ({ entityId, toolkit, callbackUrl, state }, call) => {
      const callback = new URL(callbackUrl)
      callback.searchParams.set('state', state)
      const body = {
        auth_config_id: await ensureAuthConfig(sendRequest, toolkit, call),
        user_id: entityId,
        callback_url: callback.href,
      }
      const created = await sendRequest({ method: 'POST', path: '/connected_accounts/link', body }, answers.link, call)
      return { redirectUrl: created.redirect_url, connectedAccountId: created.connected_account_id }
    },
    getConnection: async (id, _, call) => toConnection(await readAccount(id, call)),
    disconnect: async (id, call, { isGrantInUse = false } = {}) => {
      const path = `/connected_accounts/${encodeURIComponent(id)}`
      try {
        await sendRequest(
          { method: 'DELETE', path, query: { revoke_on_delete: String(!isGrantInUse) } },
          answers.removal,
          call,
        )
      } catch (error) {
        if (!(error instanceof ProviderError) || error.kind !== 'not_found') throw error
      }
    },
    execute: async ({ entityId, connectedAccountId, action, parameters }, call) => {
      const body = {
        connected_account_id: connectedAccountId,
        user_id: entityId,
        version: 'latest',
        arguments: replaceFiles(parameters, action.fileFields, (file) => {
          const { name, mimetype, key } = file as Record<string, unknown>
          return { name, mimetype, s3key: key }
        }),
      }
      try {
        const path = `/tools/execute/${action.actionSlug}`
        const { data, successful } = await sendRequest({ method: 'POST', path, body }, answers.execution, call)
        if (!successful) throw new ProviderError('declined', 'the service rejected the action')
        return { result: data ?? {} }
      } catch (error) {
        throw await explainFailure(error, () => readAccount(connectedAccountId, call))
      }
    },
    storeFile: async (input, call) => {
      const { action, name, mimetype, bytes } = input
      const body = {
        filename: name,
        mimetype,
        md5: createHash('md5').update(bytes).digest('hex'),
        tool_slug: action.actionSlug,
        toolkit_slug: action.toolkit,
      }
      const created = await sendRequest({ method: 'POST', path: '/files/upload/request', body }, answers.upload, call)
      await upload(created.new_presigned_url, input, created.metadata?.storage_backend ?? 's3', call)
      return { key: created.key }
    },
    // Composio deletes its files automatically.
    dropFile: () => Promise.resolve(),
  }
}

async function listTools(
  sendRequest: SendComposioRequest,
  toolkit: string,
  call: ProviderCall,
): Promise<ConnectorAction[]> {
  const actions: ConnectorAction[] = []
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const query = { toolkit_slug: toolkit, limit: pageSize, toolkit_versions: 'latest', cursor }
    const { items, next_cursor: next } = await sendRequest(
      { method: 'GET', path: '/tools', query },
      answers.toolList,
      call,
    )
    for (const { slug, name, description, input_parameters: schema } of items)
      if (actionSlug.test(slug)) {
        const { parameters, fileFields } = withFileParameters(schema)
        actions.push({ actionSlug: slug, toolkit, name, description: description ?? '', parameters, fileFields })
      }
    if (next === undefined || next === null || next === '' || items.length === 0) return actions
    cursor = next
  }
  throw new ProviderError('unavailable', `Composio returned more than ${maxPages} pages of tools`)
}

/** Returns the project's auth config for the toolkit. Creates one with Composio's OAuth client if there is none. */
async function ensureAuthConfig(
  sendRequest: SendComposioRequest,
  toolkit: string,
  call: ProviderCall,
): Promise<string> {
  const query = { toolkit_slug: toolkit }
  const { items } = await sendRequest({ method: 'GET', path: '/auth_configs', query }, answers.authConfigList, call)
  const enabled = items.find(({ status }) => status === 'ENABLED')
  if (enabled !== undefined) return enabled.id
  const body = { toolkit: { slug: toolkit }, auth_config: { type: 'use_composio_managed_auth' } }
  const created = await sendRequest({ method: 'POST', path: '/auth_configs', body }, answers.newAuthConfig, call)
  return created.auth_config.id
}

/** Maps a failure to `disconnected` if the connection is no longer active, so that the user can reconnect. */
async function explainFailure(failure: unknown, read: () => Promise<answers.Account>): Promise<unknown> {
  if (!(failure instanceof ProviderError) || failure.isRetryable) return failure
  const account = await read().catch(() => undefined)
  return account === undefined || toConnection(account).active
    ? failure
    : new ProviderError('declined', 'the connection is not active', { code: disconnected })
}

function toConnection({
  id,
  user_id: entityId,
  status,
  is_disabled: isDisabled,
  toolkit,
}: answers.Account): BrokerConnection {
  const active = status === 'ACTIVE' && isDisabled !== true
  return { connectedAccountId: id, entityId, toolkit: toolkit.slug, active, accountName: null }
}
