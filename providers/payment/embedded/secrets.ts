import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Unguessable, because the id of a checkout is enough to claim its purchase. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(18).toString('hex')}`
}

/** What the address of a page has beside the id: known to whom we gave the address, and kept in no row. */
export function pageKey(secret: string, id: string): string {
  return keyed(secret, `page ${id}`)
}

/** Of the form that is taken next; each is good once. */
export function formToken(secret: string, id: string, forms: number): string {
  return keyed(secret, `form ${id} ${forms}`)
}

/** In constant time. */
export function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest())
  return left !== undefined && right !== undefined && timingSafeEqual(left, right)
}

/** Tells whether a repeated key comes with what it first came with. */
export function hashJson(value: object): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

function keyed(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url')
}
