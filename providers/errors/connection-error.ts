const notSentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Classifies the error of a call without a response: `unavailable` if it was not sent, `timeout` if it may have arrived. */
export function classifyConnectionError(error: unknown): { kind: 'unavailable' | 'timeout'; code: string | undefined } {
  const code = readErrorCode(error)
  return { kind: code !== undefined && notSentCodes.has(code) ? 'unavailable' : 'timeout', code }
}

/** Returns the system's error code, from the error or from an error that a vendor's library or fetch has wrapped. */
function readErrorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if ('detail' in error) return readErrorCode(error.detail)
  if ('original' in error) return readErrorCode(error.original)
  if ('code' in error && typeof error.code === 'string') return error.code
  return 'cause' in error ? readErrorCode(error.cause) : undefined
}
