import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Nobody guesses one: whoever knows the id of a checkout may claim what was bought with it. */
export const newId = (prefix: string): string => `${prefix}_${randomBytes(18).toString('hex')}`

const keyed = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('base64url')

/** What the address of a page has beside the id: known to whom we gave the address, and kept in no row. */
export const pageKey = (secret: string, id: string): string => keyed(secret, `page ${id}`)

/** Of the form that is taken next; each is good once. */
export const formToken = (secret: string, id: string, forms: number): string => keyed(secret, `form ${id} ${forms}`)

/** In constant time. */
export const isSame = (one: string, other: string): boolean => {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest())
  return left !== undefined && right !== undefined && timingSafeEqual(left, right)
}

/** Tells whether a repeated key comes with what it first came with. */
export const hashOf = (value: object): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')
