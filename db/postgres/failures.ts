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

// Connection exceptions, too many connections, shutdown and start-up of the server, read-only after a failover.
const stateCodes = /^(?:08...|53300|57P0[1-4]|25006)$/

/** True when a query failed because Postgres is away, and not because of the query. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return stateCodes.test(error.code)
  if (connectionCodes.has(codeOf(error)) || isMissingSocket(error)) return true
  return error instanceof AggregateError && error.errors.some(isDatabaseAway)
}

// Data that do not fit, a raised refusal, and more than a statement may be: each fails by its values.
const valueCodes = /^(?:22...|23...|54...|P0001)$/

/** True when the same work would fail again: by what it works on, and not by how things stand at the moment. */
export function isContentFault(error: unknown): boolean {
  return error instanceof postgres.PostgresError
    ? valueCodes.test(error.code)
    : error instanceof Error && !isDatabaseAway(error)
}

/** True when the connection of a failed query is gone with it. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof postgres.PostgresError
    ? error.severity === 'FATAL' || error.severity === 'PANIC'
    : connectionCodes.has(codeOf(error))
}

/** True when the server answers and has no database of this name. */
export function isDatabaseMissing(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === '3D000'
}

/** True when the server gave up a statement because its time was over. */
export function isStatementTimeout(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === '57014'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

// A unix socket that is not there; other missing files have another call.
function isMissingSocket(error: unknown): boolean {
  return codeOf(error) === 'ENOENT' && error instanceof Error && 'syscall' in error && error.syscall === 'connect'
}
