import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

const payloadSchema = z.object({
  pathname: z.string(),
  validUntil: z.number(),
  maximumSizeInBytes: z.number().optional(),
  addRandomSuffix: z.boolean().optional(),
  onUploadCompleted: z.object({ callbackUrl: z.url(), tokenPayload: z.string().nullish() }).optional(),
})
/** What an upload token allows: one path until a time (epoch milliseconds). */
export type ClientToken = z.output<typeof payloadSchema>

/** The token's payload when we have signed it; undefined for anything else. Its time is not looked at. */
export function verifyClientToken(token: string, readWriteToken: string): ClientToken | undefined {
  const [, sent = ''] = /^vercel_blob_client_[A-Za-z0-9]+_([A-Za-z0-9+/=]+)$/.exec(token) ?? []
  if (parseStoreId(token) !== parseStoreId(readWriteToken)) return undefined
  const [signature = '', payload = ''] = Buffer.from(sent, 'base64').toString().split('.')
  if (!isEqual(signature, sign(payload, readWriteToken))) return undefined
  return payloadSchema.parse(JSON.parse(Buffer.from(payload, 'base64').toString()))
}

/** The signature of a callback's body, as the vendor's library verifies it. */
export function signCallback(body: string, readWriteToken: string): string {
  return sign(body, readWriteToken)
}

/** Binds values that travel through a client to this store. */
export function createSeal(readWriteToken: string) {
  return {
    seal: (...values: string[]): string => sign(JSON.stringify(values), readWriteToken).slice(0, 32),
    isSealed: (seal: string, ...values: string[]): boolean =>
      isEqual(seal, sign(JSON.stringify(values), readWriteToken).slice(0, 32)),
  }
}

/** The store's id in a token of either kind. */
function parseStoreId(token: string): string {
  return token.split('_')[3] ?? ''
}

function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function sign(text: string, key: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}
