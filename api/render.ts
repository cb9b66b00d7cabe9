import type { ApiError, Envelope } from './errors.ts'

type Body = Record<string, unknown>

const envelopes: Record<Envelope, (error: ApiError) => Body> = {
  e1: ({ status, message }) => ({ error: status, message }),
  // Clients look for the text of a 401 in `message`.
  e2: ({ status, message }) => ({ status: 'error', error: message, ...(status === 401 ? { message } : {}) }),
  plain: ({ message }) => ({ error: message }),
  sandbox: ({ message }) => ({ status: 'error', error: message }),
  claim: ({ message }) => ({ status: 'error', error: message }),
}

// Their bodies have the members of the contract and no other.
const withoutFields: ReadonlySet<Envelope> = new Set(['e1', 'claim'])

/** The one place where an error body is made. */
export const renderError = (envelope: Envelope, error: ApiError, requestId: string): Body => ({
  ...(error.body ?? envelopes[envelope](error)),
  ...(error.missingFields === undefined || withoutFields.has(envelope) ? {} : { missing_fields: error.missingFields }),
  ...(error.code === 'internal' ? { request_id: requestId } : {}),
})
