/** A refusal in the words by which the upload library tells one from another and does not try again. */
export class BlobRefused extends Error {
  override readonly name = 'BlobRefused'
  readonly status: 400 | 403 | 404 | 413
  readonly code: string

  constructor(status: BlobRefused['status'], code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export const badRequest = (message: string): BlobRefused => new BlobRefused(400, 'bad_request', message)
export const badToken = (): BlobRefused => new BlobRefused(403, 'forbidden', 'Access denied')
export const expiredToken = (): BlobRefused => new BlobRefused(403, 'client_token_expired', 'Token expired')
export const otherPath = (): BlobRefused =>
  new BlobRefused(403, 'client_token_pathname_mismatch', '"pathname" does not match the token payload')
export const noSuchUpload = (): BlobRefused => new BlobRefused(404, 'not_found', 'No such upload')
export const tooLarge = (maxBytes: number): BlobRefused =>
  new BlobRefused(413, 'file_too_large', `the file length cannot be greater than ${maxBytes} bytes`)
