import type { UploadRefusal } from '../../../domain/staged-files.ts'

/** Error with the codes of the upload library, which decide whether the library retries. */
export class BlobRefusedError extends Error {
  override readonly name = 'BlobRefusedError'
  readonly status: 400 | 403 | 404 | 413 | 429 | 503
  readonly code: string
  readonly retryAfterSeconds: number | undefined

  constructor(status: BlobRefusedError['status'], code: string, message: string, retryAfterSeconds?: number) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export function badRequest(message: string): BlobRefusedError {
  return new BlobRefusedError(400, 'bad_request', message)
}

export function badToken(): BlobRefusedError {
  return new BlobRefusedError(403, 'forbidden', 'Access denied')
}

export function expiredToken(): BlobRefusedError {
  return new BlobRefusedError(403, 'client_token_expired', 'Token expired')
}

export function pathMismatch(): BlobRefusedError {
  return new BlobRefusedError(403, 'client_token_pathname_mismatch', '"pathname" does not match the token payload')
}

export function noSuchUpload(): BlobRefusedError {
  return new BlobRefusedError(404, 'not_found', 'No such upload')
}

export function tooLarge(maxBytes: number): BlobRefusedError {
  return new BlobRefusedError(413, 'file_too_large', `the file length cannot be greater than ${maxBytes} bytes`)
}

export function usedToken(): BlobRefusedError {
  return new BlobRefusedError(
    403,
    'client_token_not_allowed',
    'This upload token was used for another file: ask for a new one',
  )
}

/** The library retries this error. */
export function uploadInProgress(): BlobRefusedError {
  return new BlobRefusedError(503, 'service_unavailable', 'This upload is still being received', 1)
}

const noSpaceSeconds = 60

type Details = { maxBytes: number; retryAfterSeconds?: number | undefined }

const refusals: Record<UploadRefusal, (details: Details) => BlobRefusedError> = {
  used: usedToken,
  busy: uploadInProgress,
  unknown: noSuchUpload,
  'worn-out': () =>
    new BlobRefusedError(403, 'client_token_not_allowed', 'This upload was sent too often: ask for a new token'),
  'too-large': ({ maxBytes }) => tooLarge(maxBytes),
  'too-often': ({ retryAfterSeconds }) =>
    new BlobRefusedError(429, 'rate_limited', 'Too many uploads within a minute', retryAfterSeconds),
  'over-quota': ({ retryAfterSeconds }) =>
    new BlobRefusedError(429, 'rate_limited', 'Too many bytes uploaded within a day', retryAfterSeconds),
  'no-space': () =>
    new BlobRefusedError(503, 'service_unavailable', 'No disk space is left for uploads', noSpaceSeconds),
}

/** Maps a refused reservation to the error for the client. */
export function toBlobRefused(reason: UploadRefusal, details: Details): BlobRefusedError {
  return refusals[reason](details)
}
