import { randomUUID } from 'node:crypto'
import type { handleUpload, HandleUploadBody } from '@vercel/blob/client'
import { z } from 'zod'
import { maxBlobBytes, type BlobPort } from './index.ts'

const tokenLifetimeMs = 60 * 60 * 1000

const tokenRequestSchema = z.object({
  type: z.literal('blob.generate-client-token'),
  payload: z.object({
    pathname: z.string(),
    clientPayload: z.string().nullish().default(null),
    multipart: z.boolean().optional().default(false),
  }),
})
const completionSchema = z.looseObject({
  type: z.literal('blob.upload-completed'),
  payload: z.record(z.string(), z.unknown()),
})

/** Envelope of the upload library: a request for a token, or the store's notice that an upload is complete. */
const envelopeSchema = z.discriminatedUnion('type', [tokenRequestSchema, completionSchema])

export type Handshake = {
  blobs: BlobPort
  /** Account of the uploader; undefined for an anonymous request. */
  accountId: string | undefined
  /** URL to which the store reports completed uploads. */
  callbackUrl: string
  /** Signature sent with `blob.upload-completed`. */
  signature: string | undefined
}

const tokenRequestType = 'blob.generate-client-token'

/** True for an envelope that requests an upload token, which requires a credential. */
export function isTokenRequest(body: Record<string, unknown>): boolean {
  return body['type'] === tokenRequestType
}

/** Handles an envelope and returns the response body. Throws if the envelope is invalid or its path is not allowed. */
export async function createHandshakeResponse(
  body: Record<string, unknown>,
  { blobs, accountId, callbackUrl, signature }: Handshake,
): Promise<Record<string, unknown>> {
  const request = { url: callbackUrl, headers: { 'x-vercel-signature': signature } }
  const bindEnvelope = (): HandleUploadBody => {
    const envelope = envelopeSchema.parse(body)
    // The library validates the body itself; the signature covers its exact bytes.
    if (envelope.type !== tokenRequestType) return body as unknown as HandleUploadBody
    const pathname =
      accountId === undefined ? undefined : blobs.bindPath(accountId, envelope.payload.pathname.replace(/^\/+/, ''))
    if (pathname === undefined) throw new Error('this path cannot be uploaded to')
    return { ...envelope, payload: { ...envelope.payload, pathname } }
  }
  const library = await import('@vercel/blob/client')
  return library.handleUpload({
    token: blobs.readWriteToken,
    body: bindEnvelope(),
    // The library reads only the address and the signature header of the request.
    request: request as unknown as Parameters<typeof handleUpload>[0]['request'],
    onBeforeGenerateToken: () =>
      Promise.resolve({
        maximumSizeInBytes: maxBlobBytes,
        validUntil: Date.now() + tokenLifetimeMs,
        addRandomSuffix: true,
        allowOverwrite: false,
        callbackUrl,
        // Each token is unique, because it uploads one file.
        tokenPayload: randomUUID(),
      }),
    // Uploads need no record: the path of a blob contains its account, and unused blobs expire.
    onUploadCompleted: () => Promise.resolve(),
  })
}
