import type { BrokerConnection, ConnectorAction, JsonObject, Toolkit } from '../../domain/connectors/connector.ts'
import type { ProviderCall } from '../call.ts'

type AuthorizeInput = { entityId: string; toolkit: string; callbackUrl: string; state: string }

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
}

/** `declined` with this code: what the person granted is gone, and has to be granted anew. Nothing was done. */
export const disconnected = 'disconnected'

/** Of a fault that came before the service was asked: nothing was done, whatever its kind. */
export const notBegun = 'not_begun'

/**
 * Whoever keeps connections to services and acts with them. Throws `ProviderFault`; of an action, `timeout` and
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
  /** Revokes it and deletes its credentials. Absent is success. */
  disconnect(connectedAccountId: string, call: ProviderCall): Promise<void>
  execute(input: ExecuteInput, call: ProviderCall): Promise<{ result: JsonObject }>
  stageFile(input: StageInput, call: ProviderCall): Promise<{ key: string }>
  /** Forgets a staged file. Absent is success; a vendor may do that by itself. */
  dropFile(key: string): Promise<void>
}

/** Files of brokers that keep none themselves, under keys that nobody guesses. */
export type StagedFiles = {
  keep(bytes: Uint8Array, options: { mimetype: string; accountId: string }): Promise<string>
  /** Undefined for one that is gone. */
  read(key: string): Promise<Uint8Array | undefined>
  drop(key: string): Promise<void>
}
