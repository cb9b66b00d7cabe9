import type { BrokerConnection, ConnectorAction, JsonObject, Toolkit } from '../../domain/connectors/connector.ts'
import type { ProviderCall } from '../call.ts'

type AuthorizeInput = {
  entityId: string
  toolkit: string
  callbackUrl: string
  state: string
  /** Name of the account that will use the connection, for the pages of the broker. */
  recipient: string
}

type ExecuteInput = {
  entityId: string
  connectedAccountId: string
  action: ConnectorAction
  /** Parameters of the action. Files are the keys that `storeFile` returned. */
  parameters: JsonObject
  /** Idempotency key of the client. An action can be retried only with a key and if `honorsKeys` is true. */
  key?: string | undefined
}

export type ActionFileInput = {
  entityId: string
  /** Account whose media quota includes the file, if Backline stores it. */
  accountId: string
  action: ConnectorAction
  name: string
  mimetype: string
  bytes: Uint8Array
  /** Key that `planFile` returned. */
  plannedKey?: string | undefined
}

/** Code of a `declined` error: the connection is no longer authorized. The user must reconnect. Nothing was executed. */
export const disconnected = 'disconnected'

/** Code of an error that occurred before the request was sent. The action was not executed, regardless of the error kind. */
export const notStarted = 'not_begun'

/**
 * Manages connections to services and executes actions with them. Throws `ProviderError`. After `timeout` and `unavailable`,
 * it is unknown whether the action was executed, unless the code is `notStarted`. After all other kinds, it was not executed.
 */
export type BrokerPort = {
  /** Services that this broker can connect. Slugs are unique across brokers. */
  toolkits: readonly Toolkit[]
  /** True if the service executes an action only once per idempotency key. */
  honorsKeys(toolkit: string): boolean
  listConnections(entityId: string, call: ProviderCall): Promise<BrokerConnection[]>
  listActions(toolkits: readonly string[], call: ProviderCall): Promise<ConnectorAction[]>
  /** Starts a connection. The returned URL shows the consent page, which redirects to the callback with the state. */
  authorize(input: AuthorizeInput, call: ProviderCall): Promise<{ redirectUrl: string; connectedAccountId: string }>
  /** Reads a connection after the browser has returned with the query `returned`. Throws `not_found` or `declined`. */
  getConnection(connectedAccountId: string, returned: URLSearchParams, call: ProviderCall): Promise<BrokerConnection>
  /**
   * Completes a connection whose authorization was interrupted, so that `disconnect` can revoke it. Returns `lost` if the
   * service may have granted access and no credentials are stored. Absent if the broker completes connections itself.
   */
  settle?(connectedAccountId: string, call: ProviderCall): Promise<'settled' | 'lost'>
  /**
   * Revokes a connection and deletes its credentials. Succeeds if it does not exist. With `isGrantInUse`, only deletes the
   * credentials, because many services revoke all access of an account together with one token.
   */
  disconnect(connectedAccountId: string, call: ProviderCall, options?: { isGrantInUse?: boolean }): Promise<void>
  execute(input: ExecuteInput, call: ProviderCall): Promise<{ result: JsonObject }>
  /** Returns the key that a file will have. Absent if the broker assigns keys itself. */
  planFile?(mimetype: string): string
  storeFile(input: ActionFileInput, call: ProviderCall): Promise<{ key: string }>
  /** Deletes an action file. Succeeds if it does not exist. Some vendors delete files automatically. */
  dropFile(key: string): Promise<void>
}

/** Stores files for brokers without a file store, under keys that cannot be guessed. */
export type ActionFiles = {
  planKey(mimetype: string): string
  save(key: string, bytes: Uint8Array, options: { mimetype: string; accountId: string }): Promise<void>
  /** Reads a file; undefined if it no longer exists. */
  read(key: string): Promise<Uint8Array | undefined>
  drop(key: string): Promise<void>
}
