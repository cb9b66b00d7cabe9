import postgres from 'postgres'

const connectionCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EAI_AGAIN',
])

// Connection exceptions, too many connections, server shutdown and start-up, and read-only mode after a failover.
const stateCodes = /^(?:08...|53300|57P0[1-4]|25006)$/

/** Returns whether a query failed because Postgres is unavailable. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return stateCodes.test(error.code) && !isPoolerRejection(error)
  if (connectionCodes.has(readErrorCode(error)) || isMissingSocket(error)) return true
  return error instanceof AggregateError && error.errors.some(isDatabaseUnavailable)
}

/** Returns whether a connection pooler rejected a startup parameter, which a retry cannot fix. */
function isPoolerRejection({ message }: Error): boolean {
  return message.startsWith('unsupported startup parameter')
}

// Invalid data, constraint violations, exceeded statement limits and raised exceptions: the values cause the failure.
const valueCodes = /^(?:22...|23...|54...|P0001)$/

/** Returns whether a retry would fail again, because the data causes the error. */
export function isContentError(error: unknown): boolean {
  return error instanceof postgres.PostgresError
    ? valueCodes.test(error.code)
    : error instanceof Error && !isDatabaseUnavailable(error)
}

/** Returns whether the connection of a failed query is lost. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof postgres.PostgresError
    ? error.severity === 'FATAL' || error.severity === 'PANIC'
    : connectionCodes.has(readErrorCode(error))
}

/** Returns whether the server responds but the database does not exist. */
export function isDatabaseMissing(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === '3D000'
}

/** Returns whether the statement timeout cancelled the statement. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === '57014'
}

function readErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

// A missing Unix socket; other missing files have a different syscall.
function isMissingSocket(error: unknown): boolean {
  return (
    readErrorCode(error) === 'ENOENT' && error instanceof Error && 'syscall' in error && error.syscall === 'connect'
  )
}
