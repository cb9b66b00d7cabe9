import type { BrokerConnection, ConnectorAction, JsonObject, Toolkit } from '../../domain/connectors/connector.ts'
import type { ProviderCall } from '../call.ts'

type AuthorizeInput = {
  entityId: string
  toolkit: string
  callbackUrl: string
  state: string
  /** The account here that will act with the connection, for the broker's own pages. */
  recipient: string
}

type ExecuteInput = {
  entityId: string
  connectedAccountId: string
  action: ConnectorAction
  /** Files by the keys that `stageFile` gave. */
  parameters: JsonObject
  /** The client's: with one, and only then, an action may be tried again where `honoursKeys` says so. */
  key?: string | undefined
}

export type StageInput = {
  entityId: string
  /** Whose media quota the file counts for where we keep it ourselves. */
  accountId: string
  action: ConnectorAction
  name: string
  mimetype: string
  bytes: Uint8Array
  /** What `planFile` answered. */
  plannedKey?: string | undefined
}

/** `declined` with this code: what the person granted is gone, and has to be granted anew. Nothing was done. */
export const disconnected = 'disconnected'

/** Of a fault that came before the service was asked: nothing was done, whatever its kind. */
export const notBegun = 'not_begun'

/**
 * Keeps connections to services and acts with them. Throws `ProviderError`; of an action, `timeout` and
 * `unavailable` leave open whether it was done, unless their code is `notBegun`; everything else means that it was not.
 */
export type BrokerPort = {
  /** What can be connected through it. Slugs of no two brokers are equal. */
  toolkits: readonly Toolkit[]
  /** Whether an action with a key that was used before is not done again. */
  honoursKeys(toolkit: string): boolean
  listConnections(entityId: string, call: ProviderCall): Promise<BrokerConnection[]>
  listActions(toolkits: readonly string[], call: ProviderCall): Promise<ConnectorAction[]>
  /** Prepares a connection: a browser that opens the address comes back to the callback with the state. */
  authorize(input: AuthorizeInput, call: ProviderCall): Promise<{ redirectUrl: string; connectedAccountId: string }>
  /** The connection as it is after a browser came back; `returned` is the query it came with. `not_found`, `declined`. */
  getConnection(connectedAccountId: string, returned: URLSearchParams, call: ProviderCall): Promise<BrokerConnection>
  /**
   * Settles a connection that broke off while it was granted, so that `disconnect` can revoke it. `lost`: the service may
   * have granted access whose credentials nothing holds. Absent where the broker settles on its own.
   */
  settle?(connectedAccountId: string, call: ProviderCall): Promise<'settled' | 'lost'>
  /**
   * Revokes it and deletes its credentials. Succeeds if it does not exist. With `keepsGrant` only the credentials are deleted: many services
   * end all access of an account when one token of it is revoked.
   */
  disconnect(connectedAccountId: string, call: ProviderCall, options?: { keepsGrant?: boolean }): Promise<void>
  execute(input: ExecuteInput, call: ProviderCall): Promise<{ result: JsonObject }>
  /** The key that a file will have; absent where the broker names its files itself. */
  planFile?(mimetype: string): string
  stageFile(input: StageInput, call: ProviderCall): Promise<{ key: string }>
  /** Forgets a staged file. Succeeds if it does not exist; a vendor may do that on its own. */
  dropFile(key: string): Promise<void>
}

/** Files of brokers that keep none themselves, under keys that cannot be guessed. */
export type StagedFiles = {
  plan(mimetype: string): string
  keep(key: string, bytes: Uint8Array, options: { mimetype: string; accountId: string }): Promise<void>
  /** Undefined for one that is gone. */
  read(key: string): Promise<Uint8Array | undefined>
  drop(key: string): Promise<void>
}
