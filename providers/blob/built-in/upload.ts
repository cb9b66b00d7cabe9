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
  /** The upload token; undefined without one. */
  token: string | undefined
  /** As the client names it. */
  pathname: string
  contentType: string | undefined
  /** Bytes as declared. */
  length: number | undefined
  body: Readable
}

/** An upload that its token allows. */
export type Upload = {
  token: ClientToken
  /** The token as it was sent. */
  tokenText: string
  accountId: string
  request: UploadRequest
  maxBytes: number
}

/** What names an upload in parts; both travel through the client. */
export type UploadIds = { uploadId: string; key: string }

export type MultipartUploads = {
  /** Safe to repeat: a token has one upload. */
  createUpload(request: UploadRequest): Promise<UploadIds>
  /** Safe to repeat. */
  putPart(request: UploadRequest, part: UploadIds & { partNumber: number }): Promise<{ etag: string }>
  /** The body lists the parts. Safe to repeat. */
  completeUpload(request: UploadRequest, ids: UploadIds): Promise<BlobResponse>
}

/** The store that the upload library speaks to when none is bought. Throws `BlobRefusedError`. */
export type BuiltInStore = {
  /** Safe to repeat with the same bytes. */
  put(request: UploadRequest): Promise<BlobResponse>
  /** Whose token this is; undefined if this store has not issued it. The expiry is not checked. */
  findTokenAccount(token: string | undefined): string | undefined
} & MultipartUploads
