import { readFile } from 'node:fs/promises'
import { Client, Connection } from '@temporalio/client'
import type { ConnectionOptions } from '@temporalio/client'

/** Where the engine is and how to be let in. Certificates are paths of PEM files. */
export type EngineAddress = {
  address: string
  namespace: string
  tls: boolean
  apiKey?: string | undefined
  certificatePath?: string | undefined
  keyPath?: string | undefined
}

/** The settings that say where the engine is. */
export type EngineSettings = {
  TEMPORAL_NAMESPACE: string
  TEMPORAL_TLS: boolean
  TEMPORAL_API_KEY?: string | undefined
  TEMPORAL_TLS_CERT?: string | undefined
  TEMPORAL_TLS_KEY?: string | undefined
}

export const engineAddress = (settings: EngineSettings, address: string): EngineAddress => ({
  address,
  namespace: settings.TEMPORAL_NAMESPACE,
  tls: settings.TEMPORAL_TLS,
  apiKey: settings.TEMPORAL_API_KEY,
  certificatePath: settings.TEMPORAL_TLS_CERT,
  keyPath: settings.TEMPORAL_TLS_KEY,
})

/** Connection options for the client and, in the same shape, for a worker's native connection. */
export const connectionOptions = async (engine: EngineAddress) => {
  const clientCertPair =
    engine.certificatePath === undefined || engine.keyPath === undefined
      ? undefined
      : { crt: await readFile(engine.certificatePath), key: await readFile(engine.keyPath) }
  const tls = clientCertPair === undefined ? engine.tls || engine.apiKey !== undefined : { clientCertPair }
  return {
    address: engine.address,
    ...(tls === false ? {} : { tls }),
    ...(engine.apiKey === undefined ? {} : { apiKey: engine.apiKey }),
  }
}

/** Connects on first use: the API starts while the engine is away. */
export const connectClient = async (
  engine: EngineAddress,
): Promise<{ client: Client; connection: Connection; close(): Promise<void> }> => {
  const options: ConnectionOptions = await connectionOptions(engine)
  const connection = Connection.lazy({ ...options, connectTimeout: '5s' })
  const client = new Client({ connection, namespace: engine.namespace })
  return { client, connection, close: () => connection.close() }
}
