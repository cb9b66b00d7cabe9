import { randomUUID } from 'node:crypto'
import type { handleUpload, HandleUploadBody } from '@vercel/blob/client'
import { z } from 'zod'
import { maxBlobBytes, type BlobPort } from './index.ts'

const tokenMs = 60 * 60 * 1000

const generate = z.object({
  type: z.literal('blob.generate-client-token'),
  payload: z.object({
    pathname: z.string(),
    clientPayload: z.string().nullish().default(null),
    multipart: z.boolean().optional().default(false),
  }),
})
const completed = z.looseObject({
  type: z.literal('blob.upload-completed'),
  payload: z.record(z.string(), z.unknown()),
})

/** What the upload library sends: a wish for a token, or the store's word that an upload is complete. */
const envelopeSchema = z.discriminatedUnion('type', [generate, completed])

export type Handshake = {
  blobs: BlobPort
  /** Account that the token is for; undefined for an anonymous request. */
  accountId: string | undefined
  /** URL to which the store reports completed uploads. */
  callbackUrl: string
  /** As sent with `blob.upload-completed`. */
  signature: string | undefined
}

const tokenWish = 'blob.generate-client-token'

/** True for the envelope that needs a credential. */
export function wantsToken(body: Record<string, unknown>): boolean {
  return body['type'] === tokenWish
}

/** The answer to an envelope, to be sent as it is. Throws when it is refused. */
export async function answerEnvelope(
  body: Record<string, unknown>,
  { blobs, accountId, callbackUrl, signature }: Handshake,
): Promise<Record<string, unknown>> {
  const request = { url: callbackUrl, headers: { 'x-vercel-signature': signature } }
  const bind = (): HandleUploadBody => {
    const envelope = envelopeSchema.parse(body)
    // Signed as it was sent.
    if (envelope.type !== tokenWish) return body as unknown as HandleUploadBody
    const pathname =
      accountId === undefined ? undefined : blobs.boundPath(accountId, envelope.payload.pathname.replace(/^\/+/, ''))
    if (pathname === undefined) throw new Error('this path cannot be uploaded to')
    return { ...envelope, payload: { ...envelope.payload, pathname } }
  }
  const library = await import('@vercel/blob/client')
  return library.handleUpload({
    token: blobs.readWriteToken,
    body: bind(),
    // Of the request the library reads its address and its signature header.
    request: request as unknown as Parameters<typeof handleUpload>[0]['request'],
    onBeforeGenerateToken: () =>
      Promise.resolve({
        maximumSizeInBytes: maxBlobBytes,
        validUntil: Date.now() + tokenMs,
        addRandomSuffix: true,
        allowOverwrite: false,
        callbackUrl,
        // No two tokens are alike: each makes one file.
        tokenPayload: randomUUID(),
      }),
    // Nothing is kept about uploads: a blob's path says whose it is, and what is not used expires.
    onUploadCompleted: () => Promise.resolve(),
  })
}
