/** Upload limits of an account in the embedded store. 0 means no limit. */
export type UploadLimits = { perMinute: number; bytesPerDay: number }

/**
 * Use of an upload token. `begin`: start a multipart upload; `part`: send a part; `join`: complete the upload; `whole`: send
 * the file in one request.
 */
export type UploadClaim = {
  kind: 'whole' | 'begin' | 'part' | 'join'
  tokenId: string
  accountId: string
  /** Path of the file, unless the token already has a path. */
  pathname: string
  /** Id of the parts; null for a file in one request. */
  partsId: string | null
  /** Number of the part, from 1; 0 for a file in one request. */
  part: number
  /** Declared size; undefined if it is not known. */
  bytes: number | undefined
  maxBytes: number
  /** Free bytes of the disk for uploads. */
  room: number
}

/**
 * Reason for the rejection of an upload. `busy`: the same bytes, or bytes that may use up the limit, are being received.
 * `worn-out`: the token or part was sent too often. `unknown`: the token has no such multipart upload.
 */
export type UploadRefusal =
  | 'used'
  | 'busy'
  | 'worn-out'
  | 'unknown'
  | 'too-large'
  | 'too-often'
  | 'over-quota'
  | 'no-space'

/** Result of a claim. `begun` and `stored` describe the earlier use of the token. */
export type ClaimedUpload =
  | { outcome: 'reserved'; attempt: string; bytes: number; pathname: string }
  | { outcome: 'begun'; pathname: string; partsId: string }
  | { outcome: 'stored'; pathname: string; etag: string }
  | { outcome: 'refused'; reason: UploadRefusal; retryAfterSeconds?: number }

/**
 * Accounting of uploads, shared by all receiving processes: each token creates one file, and bytes are
 * reserved before they arrive. Reservations of processes that have ended are released.
 */
export type UploadLedger = {
  claim(claim: UploadClaim): Promise<ClaimedUpload>
  /** Records that the reserved bytes have arrived. Returns false if the reservation has expired. */
  receive(attempt: string, bytes: number): Promise<boolean>
  /** Releases reserved bytes that will not arrive. */
  release(attempt: string): Promise<void>
  /** Records that the file is stored and its token is used. Returns false if the reservation has expired. */
  finish(attempt: string, file: { etag: string; bytes: number }): Promise<boolean>
}
