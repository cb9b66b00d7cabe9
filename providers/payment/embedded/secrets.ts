import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Creates an unguessable id, because the id of a checkout suffices to claim its purchase. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(18).toString('hex')}`
}

/** Returns the key in the URL of a page, in addition to the id. It is derived from the secret and not stored. */
export function pageKey(secret: string, id: string): string {
  return computeMac(secret, `page ${id}`)
}

/** Returns the token of the next form of a session. Each token is accepted once. */
export function formToken(secret: string, id: string, forms: number): string {
  return computeMac(secret, `form ${id} ${forms}`)
}

/** Compares two texts in constant time. */
export function equalsConstantTime(text: string, other: string): boolean {
  const [left, right] = [text, other].map((value) => createHash('sha256').update(value).digest())
  return left !== undefined && right !== undefined && timingSafeEqual(left, right)
}

/** Returns the hash of a request, which detects a key that is reused for another request. */
export function hashJson(value: object): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

function computeMac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url')
}
