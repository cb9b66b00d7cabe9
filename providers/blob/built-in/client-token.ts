import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

const payloadSchema = z.object({
  pathname: z.string(),
  validUntil: z.number(),
  maximumSizeInBytes: z.number().optional(),
  addRandomSuffix: z.boolean().optional(),
  onUploadCompleted: z.object({ callbackUrl: z.url(), tokenPayload: z.string().nullish() }).optional(),
})
/** Payload of an upload token, which allows uploads to one path until `validUntil`, in epoch milliseconds. */
export type ClientToken = z.output<typeof payloadSchema>

/** Returns the payload of a token that this store has signed; otherwise undefined. Does not check the expiry. */
export function verifyClientToken(token: string, readWriteToken: string): ClientToken | undefined {
  const [, encoded = ''] = /^vercel_blob_client_[A-Za-z0-9]+_([A-Za-z0-9+/=]+)$/.exec(token) ?? []
  if (parseStoreId(token) !== parseStoreId(readWriteToken)) return undefined
  const [signature = '', payload = ''] = Buffer.from(encoded, 'base64').toString().split('.')
  if (!isEqual(signature, sign(payload, readWriteToken))) return undefined
  return payloadSchema.parse(JSON.parse(Buffer.from(payload, 'base64').toString()))
}

/** Signs the body of a callback in the format that the vendor's library verifies. */
export function signCallback(body: string, readWriteToken: string): string {
  return sign(body, readWriteToken)
}

/** Signs values that a client passes back, so that only this store can create them. */
export function createSeal(readWriteToken: string) {
  return {
    seal: (...values: string[]): string => sign(JSON.stringify(values), readWriteToken).slice(0, 32),
    isValidSeal: (seal: string, ...values: string[]): boolean =>
      isEqual(seal, sign(JSON.stringify(values), readWriteToken).slice(0, 32)),
  }
}

/** Returns the id of the store from a token of either kind. */
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
