import type { UploadRefusal } from '../../../domain/uploads.ts'

/** A refusal in the words by which the upload library tells one from another, and a final one from one to try again. */
export class BlobRefused extends Error {
  override readonly name = 'BlobRefused'
  readonly status: 400 | 403 | 404 | 413 | 429 | 503
  readonly code: string
  readonly retryAfterSeconds: number | undefined

  constructor(status: BlobRefused['status'], code: string, message: string, retryAfterSeconds?: number) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export function badRequest(message: string): BlobRefused {
  return new BlobRefused(400, 'bad_request', message)
}

export function badToken(): BlobRefused {
  return new BlobRefused(403, 'forbidden', 'Access denied')
}

export function expiredToken(): BlobRefused {
  return new BlobRefused(403, 'client_token_expired', 'Token expired')
}

export function otherPath(): BlobRefused {
  return new BlobRefused(403, 'client_token_pathname_mismatch', '"pathname" does not match the token payload')
}

export function noSuchUpload(): BlobRefused {
  return new BlobRefused(404, 'not_found', 'No such upload')
}

export function tooLarge(maxBytes: number): BlobRefused {
  return new BlobRefused(413, 'file_too_large', `the file length cannot be greater than ${maxBytes} bytes`)
}

export function usedToken(): BlobRefused {
  return new BlobRefused(
    403,
    'client_token_not_allowed',
    'This upload token was used for another file: ask for a new one',
  )
}

/** Tried again by the library. */
export function storeBusy(): BlobRefused {
  return new BlobRefused(503, 'service_unavailable', 'This upload is still being received', 1)
}

const noSpaceSeconds = 60

type Details = { maxBytes: number; retryAfterSeconds?: number | undefined }

const refusals: Record<UploadRefusal, (details: Details) => BlobRefused> = {
  used: usedToken,
  busy: storeBusy,
  unknown: noSuchUpload,
  'worn-out': () =>
    new BlobRefused(403, 'client_token_not_allowed', 'This upload was sent too often: ask for a new token'),
  'too-large': ({ maxBytes }) => tooLarge(maxBytes),
  'too-often': ({ retryAfterSeconds }) =>
    new BlobRefused(429, 'rate_limited', 'Too many uploads within a minute', retryAfterSeconds),
  'over-quota': ({ retryAfterSeconds }) =>
    new BlobRefused(429, 'rate_limited', 'Too many bytes uploaded within a day', retryAfterSeconds),
  'no-space': () => new BlobRefused(503, 'service_unavailable', 'No disk space is left for uploads', noSpaceSeconds),
}

/** The answer to what the account book of uploads refuses. */
export function toBlobRefused(reason: UploadRefusal, details: Details): BlobRefused {
  return refusals[reason](details)
}
