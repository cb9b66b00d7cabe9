import { setTimeout as pause } from 'node:timers/promises'
import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type ConnectionOptions,
} from '@temporalio/client'
import { followCertificates } from './channel.ts'
import { watchCredentials, type Credentials, type CredentialSources, type CredentialWatch } from './credentials.ts'
import { dataConverter } from './payloads.ts'
import { deadlineExceeded, notFound, permissionDenied, readGrpcStatus, unauthenticated, unavailable } from './status.ts'

/** Address of Temporal and its credentials. */
export type EngineAddress = CredentialSources & {
  address: string
  namespace: string
  tls: boolean
  /** Name that the server's certificate must have, if it differs from the host of the address. */
  serverName?: string | undefined
}

/** The settings of the connection to Temporal. */
export type EngineSettings = {
  TEMPORAL_NAMESPACE: string
  TEMPORAL_TLS: boolean
  TEMPORAL_TLS_CA?: string | undefined
  TEMPORAL_TLS_SERVER_NAME?: string | undefined
  TEMPORAL_TLS_CERT?: string | undefined
  TEMPORAL_TLS_KEY?: string | undefined
  TEMPORAL_API_KEY?: string | undefined
  TEMPORAL_API_KEY_FILE?: string | undefined
}

export function engineAddress(settings: EngineSettings, address: string): EngineAddress {
  return {
    address,
    namespace: settings.TEMPORAL_NAMESPACE,
    tls: settings.TEMPORAL_TLS,
    serverName: settings.TEMPORAL_TLS_SERVER_NAME,
    caPath: settings.TEMPORAL_TLS_CA,
    certificatePath: settings.TEMPORAL_TLS_CERT,
    keyPath: settings.TEMPORAL_TLS_KEY,
    apiKey: settings.TEMPORAL_API_KEY,
    apiKeyPath: settings.TEMPORAL_API_KEY_FILE,
  }
}

/** Options of a worker's native connection with these credentials, which it keeps. */
export function nativeOptions({ address, tls, serverName }: EngineAddress, { ca, identity, apiKey }: Credentials) {
  const usesTls = tls || [serverName, ca, identity, apiKey].some((part) => part !== undefined)
  return {
    address,
    ...(usesTls && {
      tls: {
        ...(serverName !== undefined && { serverNameOverride: serverName }),
        ...(ca !== undefined && { serverRootCACertificate: ca }),
        ...(identity !== undefined && { clientCertPair: { crt: identity.certificate, key: identity.key } }),
      },
    }),
    ...(apiKey !== undefined && { apiKey }),
  }
}

/** Options of a client's connection that follows the credentials. */
function clientOptions(engine: EngineAddress, watch: CredentialWatch): ConnectionOptions {
  const { ca, identity } = watch.current()
  if (ca === undefined && identity === undefined) {
    const { apiKey: _apiKey, ...options } = nativeOptions(engine, watch.current())
    return options
  }
  const { address, serverName } = engine
  return {
    address,
    credentials: followCertificates(watch),
    ...(serverName !== undefined && {
      channelArgs: { 'grpc.ssl_target_name_override': serverName, 'grpc.default_authority': serverName },
    }),
  }
}

const retryMarginMs = 50

export type EngineConnection = {
  client: Client
  connection: Connection
  credentials: CredentialWatch
  close(): Promise<void>
}

/**
 * Connects on first use, so that the API starts while Temporal is unavailable. `onTrouble` receives an error when changed
 * credentials cannot be used; the connection then keeps the previous ones.
 */
export async function connectClient(
  engine: EngineAddress,
  onTrouble: (error: unknown) => void = () => {},
): Promise<EngineConnection> {
  const credentials = await watchCredentials(engine, onTrouble)
  const options = clientOptions(engine, credentials)
  const retries = createRetries()
  const connection = Connection.lazy({
    ...options,
    interceptors: [retries.interceptor],
    connectTimeout: '5s',
    // The library's own pauses grow to two minutes, which would delay work after Temporal returns.
    channelArgs: {
      ...options.channelArgs,
      'grpc.initial_reconnect_backoff_ms': 200,
      'grpc.max_reconnect_backoff_ms': 2000,
    },
  })
  const { apiKey } = credentials.current()
  if (apiKey !== undefined) connection.setApiKey(() => credentials.current().apiKey ?? apiKey)
  disableAfterUse(connection)
  const client = new Client({ connection, namespace: engine.namespace, dataConverter })
  const close = async (): Promise<void> => {
    credentials.close()
    await retries.end()
    await connection.close()
  }
  return { client, connection, credentials, close }
}

const answerMs = 5000

/** Why this Temporal server cannot be used; undefined if it can. */
export async function engineObstacle({ connection, options: { namespace } }: Client): Promise<string | undefined> {
  try {
    await connection.withDeadline(Date.now() + answerMs, () =>
      connection.workflowService.describeNamespace({ namespace }),
    )
    return undefined
  } catch (error) {
    const status = readGrpcStatus(error)
    // The namespace may not exist yet.
    if (status === notFound) return `Temporal does not have the namespace ${namespace} yet`
    // A file with valid credentials may follow.
    if (status === unauthenticated || status === permissionDenied) return 'Temporal refuses the credentials'
    if (status === deadlineExceeded || status === unavailable) return 'Temporal does not answer yet'
    throw error
  }
}

/** Stops retries once the connection closes: a later retry would throw an uncaught error. */
function createRetries() {
  const usual = defaultGrpcRetryOptions()
  let closing = false
  let lastAt = 0
  return {
    interceptor: makeGrpcRetryInterceptor({
      retryableDecider: (attempt, status) => !closing && usual.retryableDecider(attempt, status),
      delayFunction: (attempt, status) => {
        const delayMs = usual.delayFunction(attempt, status)
        lastAt = Math.max(lastAt, performance.now() + delayMs)
        return delayMs
      },
    }),
    /** Allows calls that are waiting for a retry one more attempt. */
    end: async (): Promise<void> => {
      closing = true
      const left = lastAt - performance.now()
      if (left > -retryMarginMs) await pause(Math.max(left, 0) + retryMarginMs)
    },
  }
}

/**
 * The SDK hands deadlines and headers to a call through an AsyncLocalStorage, which the call reads before it first
 * waits. Before Node 24, a storage that was used once makes every promise of the process twice as expensive until it is
 * disabled. It is therefore disabled as soon as the call is sent, and `withDeadline` must run exactly one call.
 */
function disableAfterUse({ callContextStorage: storage }: Connection): void {
  const run = storage.run.bind(storage)
  let depth = 0
  const runAndDisable = <T>(store: Parameters<typeof run>[0], call: () => T): T => {
    depth++
    try {
      return run(store, call)
    } finally {
      depth--
      if (depth === 0) storage.disable()
    }
  }
  Object.assign(storage, { run: runAndDisable })
}
