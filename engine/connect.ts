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

/** Returns the options of a worker's native connection, which keeps these credentials. */
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

/** Returns the options of a client connection that follows changes of the credentials. */
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
 * Returns a client that connects on first use, so that the API starts while Temporal is unavailable. `onError` receives an
 * error when changed credentials cannot be used; the connection then keeps the previous credentials.
 */
export async function connectClient(
  engine: EngineAddress,
  onError: (error: unknown) => void = () => {},
): Promise<EngineConnection> {
  const credentials = await watchCredentials(engine, onError)
  const options = clientOptions(engine, credentials)
  const retries = createRetries()
  const connection = Connection.lazy({
    ...options,
    interceptors: [retries.interceptor],
    connectTimeout: '5s',
    // gRPC's default pauses grow to two minutes, which would delay work after Temporal is available again.
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

const responseTimeoutMs = 5000

/** Returns why this Temporal server cannot be used; undefined if it can. */
export async function findEngineProblem({ connection, options: { namespace } }: Client): Promise<string | undefined> {
  try {
    await connection.withDeadline(Date.now() + responseTimeoutMs, () =>
      connection.workflowService.describeNamespace({ namespace }),
    )
    return undefined
  } catch (error) {
    const status = readGrpcStatus(error)
    // The namespace may not exist yet.
    if (status === notFound) return `Temporal does not have the namespace ${namespace} yet`
    // The credential files are reread, so valid credentials may follow.
    if (status === unauthenticated || status === permissionDenied) return 'Temporal rejects the credentials'
    if (status === deadlineExceeded || status === unavailable) return 'Temporal does not respond yet'
    throw error
  }
}

/** Creates the retries of calls. They stop when the connection closes, because a later retry would throw an uncaught error. */
function createRetries() {
  const defaults = defaultGrpcRetryOptions()
  let isClosing = false
  let lastRetryAt = 0
  return {
    interceptor: makeGrpcRetryInterceptor({
      retryableDecider: (attempt, status) => !isClosing && defaults.retryableDecider(attempt, status),
      delayFunction: (attempt, status) => {
        const delayMs = defaults.delayFunction(attempt, status)
        lastRetryAt = Math.max(lastRetryAt, performance.now() + delayMs)
        return delayMs
      },
    }),
    /** Allows calls that are waiting for a retry one more attempt. */
    end: async (): Promise<void> => {
      isClosing = true
      const remainingMs = lastRetryAt - performance.now()
      if (remainingMs > -retryMarginMs) await pause(Math.max(remainingMs, 0) + retryMarginMs)
    },
  }
}

/**
 * The SDK passes deadlines and headers to a call through an AsyncLocalStorage, which the call reads before it first
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
