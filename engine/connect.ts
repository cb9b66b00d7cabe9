import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type ConnectionOptions,
} from '@temporalio/client'
import { dataConverter } from './payloads.ts'
import { deadlineExceeded, notFound, readGrpcStatus, unavailable } from './status.ts'

/** Address of Temporal and its credentials. Certificates are paths of PEM files. */
export type EngineAddress = {
  address: string
  namespace: string
  tls: boolean
  apiKey?: string | undefined
  certificatePath?: string | undefined
  keyPath?: string | undefined
}

/** The settings of the connection to Temporal. */
export type EngineSettings = {
  TEMPORAL_NAMESPACE: string
  TEMPORAL_TLS: boolean
  TEMPORAL_API_KEY?: string | undefined
  TEMPORAL_TLS_CERT?: string | undefined
  TEMPORAL_TLS_KEY?: string | undefined
}

export function engineAddress(settings: EngineSettings, address: string): EngineAddress {
  return {
    address,
    namespace: settings.TEMPORAL_NAMESPACE,
    tls: settings.TEMPORAL_TLS,
    apiKey: settings.TEMPORAL_API_KEY,
    certificatePath: settings.TEMPORAL_TLS_CERT,
    keyPath: settings.TEMPORAL_TLS_KEY,
  }
}

/** Connection options for the client and, in the same shape, for a worker's native connection. */
export async function connectionOptions(engine: EngineAddress) {
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

const retryMarginMs = 50

/** Connects on first use, so that the API starts while Temporal is unavailable. */
export async function connectClient(
  engine: EngineAddress,
): Promise<{ client: Client; connection: Connection; close(): Promise<void> }> {
  const options: ConnectionOptions = await connectionOptions(engine)
  const retries = createRetries()
  const connection = Connection.lazy({
    ...options,
    interceptors: [retries.interceptor],
    connectTimeout: '5s',
    // The library's own pauses grow to two minutes, which would delay work after Temporal returns.
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 200, 'grpc.max_reconnect_backoff_ms': 2000 },
  })
  disableAfterUse(connection)
  const client = new Client({ connection, namespace: engine.namespace, dataConverter })
  const close = async (): Promise<void> => {
    await retries.end()
    await connection.close()
  }
  return { client, connection, close }
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
