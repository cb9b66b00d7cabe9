import type { ApiError, Envelope, ErrorCode } from '../errors.ts'

type Body = Record<string, unknown>

type ErrorRenderer = (error: ApiError) => Body

const statusCode: ErrorRenderer = ({ status, message }) => ({ error: status, message })
// Clients of these routes read the text of a 401 from `message`.
const standard: ErrorRenderer = ({ status, message }) => ({
  status: 'error',
  error: message,
  ...(status === 401 ? { message } : {}),
})

// Error codes of the upload library, which treats unknown codes as transient.
const blobCodes: Partial<Record<ErrorCode, string>> = {
  invalid_request: 'bad_request',
  forbidden: 'forbidden',
  not_found: 'not_found',
  payload_too_large: 'file_too_large',
  rate_limited: 'rate_limited',
  unavailable: 'service_unavailable',
}

const envelopes: Record<Envelope, ErrorRenderer> = {
  'status-code': statusCode,
  standard,
  tasks: (error) => (error.status === 401 || error.status === 403 ? statusCode(error) : standard(error)),
  plain: ({ message }) => ({ error: message }),
  sandbox: ({ message }) => ({ status: 'error', error: message }),
  scrape: ({ message }) => ({ status: 'error', error: message, message }),
  claim: ({ message }) => ({ status: 'error', error: message }),
  blob: ({ code, message }) => ({ error: { code: blobCodes[code] ?? 'internal_server_error', message } }),
}

// Error bodies in these envelopes have no `missing_fields`.
const envelopesWithoutFields: ReadonlySet<Envelope> = new Set(['status-code', 'claim', 'blob'])

/** Builds the body of an error response. All error bodies are built here. */
export function renderError(envelope: Envelope, error: ApiError, requestId: string): Body {
  return {
    ...(error.body ?? envelopes[envelope](error)),
    ...(error.missingFields === undefined || envelopesWithoutFields.has(envelope)
      ? {}
      : { missing_fields: error.missingFields }),
    ...(error.code === 'internal' ? { request_id: requestId } : {}),
  }
}
