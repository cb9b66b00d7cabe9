import type { ApiError, Envelope } from './errors.ts'

type Body = Record<string, unknown>

const envelopes: Record<Envelope, (error: ApiError) => Body> = {
  e1: ({ status, message }) => ({ error: status, message }),
  // Clients look for the text of a 401 in `message`.
  e2: ({ status, message }) => ({ status: 'error', error: message, ...(status === 401 ? { message } : {}) }),
  plain: ({ message }) => ({ error: message }),
  sandbox: ({ message }) => ({ status: 'error', error: message }),
}

/** The one place where an error body is made. */
export const renderError = (envelope: Envelope, error: ApiError, requestId: string): Body => ({
  ...(error.body ?? envelopes[envelope](error)),
  // The e1 family has its two members and no more.
  ...(error.missingFields === undefined || envelope === 'e1' ? {} : { missing_fields: error.missingFields }),
  ...(error.code === 'internal' ? { request_id: requestId } : {}),
})
