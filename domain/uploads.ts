/** What one account may upload to a store of ours. 0: no limit. */
export type UploadLimits = { perMinute: number; bytesPerDay: number }

/**
 * What a request wants to do with its upload token. `begin`: start an upload in parts; `part`: send one of them; `join`:
 * end it; `whole`: send the file in one request.
 */
export type UploadClaim = {
  kind: 'whole' | 'begin' | 'part' | 'join'
  tokenId: string
  accountId: string
  /** Where the file is to be stored, if the token has no such place yet. */
  pathname: string
  /** What names the parts; null for a file in one request. */
  partsId: string | null
  /** 1 and up; 0 is the whole file. */
  part: number
  /** Declared size; undefined if it is not known. */
  bytes: number | undefined
  maxBytes: number
  /** Bytes that the disk has for uploads. */
  room: number
}

/**
 * `busy`: the same is being received, or what is being received may leave nothing. `worn-out`: the token or the part was
 * sent too often. `unknown`: the token has no such upload in parts.
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

/** What a claim came to. `begun` and `stored` say what the token was used for before, too. */
export type ClaimedUpload =
  | { outcome: 'reserved'; attempt: string; bytes: number; pathname: string }
  | { outcome: 'begun'; pathname: string; partsId: string }
  | { outcome: 'stored'; pathname: string; etag: string }
  | { outcome: 'refused'; reason: UploadRefusal; retryAfterSeconds?: number }

/**
 * The account book of uploads, one for all processes that receive them: each token makes one file, and bytes are
 * reserved before they come. What a process that died had reserved is free again.
 */
export type UploadLedger = {
  claim(claim: UploadClaim): Promise<ClaimedUpload>
  /** The reserved part has come. False when the reservation is over. */
  receive(attempt: string, bytes: number): Promise<boolean>
  /** The reserved bytes do not come. */
  release(attempt: string): Promise<void>
  /** The token's file is stored: the token is used up. False when the reservation is over. */
  finish(attempt: string, file: { etag: string; bytes: number }): Promise<boolean>
}
