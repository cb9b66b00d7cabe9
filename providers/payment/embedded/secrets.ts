import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Creates an id that cannot be guessed, because the id of a checkout is sufficient to claim its purchase. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(18).toString('hex')}`
}

/** Key in the address of a page, in addition to the id. Derived from the secret and not stored. */
export function pageKey(secret: string, id: string): string {
  return keyed(secret, `page ${id}`)
}

/** Token of the next form of a session. Each token is accepted once. */
export function formToken(secret: string, id: string, forms: number): string {
  return keyed(secret, `form ${id} ${forms}`)
}

/** Compares in constant time. */
export function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest())
  return left !== undefined && right !== undefined && timingSafeEqual(left, right)
}

/** Hash of a request, which shows whether a repeated key has the same request. */
export function hashJson(value: object): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

function keyed(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url')
}
