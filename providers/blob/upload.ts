import type { Readable } from 'node:stream'
import type { ClientToken } from './client-token.ts'

/** What a finished upload is answered with, as the vendor words it. */
export type BlobAnswer = {
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
  request: UploadRequest
  maxBytes: number
}

/** What names an upload in parts; both travel through the client. */
export type UploadIds = { uploadId: string; key: string }

export type MultipartUploads = {
  createUpload(request: UploadRequest): Promise<UploadIds>
  putPart(request: UploadRequest, part: UploadIds & { partNumber: number }): Promise<{ etag: string }>
  /** The body lists the parts. Safe to repeat. */
  completeUpload(request: UploadRequest, ids: UploadIds): Promise<BlobAnswer>
}

/** The store that the upload library speaks to when none is bought. Throws `BlobRefused`. */
export type BuiltInStore = { put(request: UploadRequest): Promise<BlobAnswer> } & MultipartUploads
