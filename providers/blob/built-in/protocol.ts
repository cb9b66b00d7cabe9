import type { Readable } from 'node:stream'
import type { ClientToken } from './client-token.ts'

/** Response to a finished upload, in the format of the vendor. */
export type BlobResponse = {
  url: string
  downloadUrl: string
  pathname: string
  contentType: string
  contentDisposition: string
  etag: string
}

/** One request of the upload library to the store. */
export type UploadRequest = {
  /** Upload token; undefined if the request has none. */
  token: string | undefined
  /** Path as sent by the client. */
  pathname: string
  contentType: string | undefined
  /** Declared length in bytes. */
  length: number | undefined
  body: Readable
}

/** Upload that passed the check of its token. */
export type Upload = {
  token: ClientToken
  /** The encoded token. */
  tokenText: string
  accountId: string
  request: UploadRequest
  maxBytes: number
}

/** Identifiers of a multipart upload, which the client passes back. */
export type UploadIds = { uploadId: string; key: string }

export type MultipartUploads = {
  /** Safe to repeat: a token has one upload. */
  createUpload(request: UploadRequest): Promise<UploadIds>
  /** Safe to repeat. */
  putPart(request: UploadRequest, part: UploadIds & { partNumber: number }): Promise<{ etag: string }>
  /** The body lists the parts. Safe to repeat. */
  completeUpload(request: UploadRequest, ids: UploadIds): Promise<BlobResponse>
}

/** Store of this deployment behind the protocol of the upload library. Throws `BlobRefusedError`. */
export type BuiltInStore = {
  /** Safe to repeat with the same bytes. */
  put(request: UploadRequest): Promise<BlobResponse>
  /** Returns the account of a token; undefined if this store has not issued it. Does not check the expiry. */
  findTokenAccount(token: string | undefined): string | undefined
} & MultipartUploads
