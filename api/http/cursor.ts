import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { ApiError } from './errors.ts'

/** What a cursor is valid for: an account, and the query parameters that determine the rows and their order. */
export type CursorBinding = { secret: string | undefined; accountId: string; query: readonly unknown[] }

/** Schema of the `cursor` parameter of a list. */
export const cursorParameter = z.string().max(1000).optional()

/** Returns the position in a cursor, or undefined without a cursor. Throws 400 for a cursor of another account or query. */
export function openCursor<S extends z.ZodType>(
  binding: CursorBinding,
  cursor: string | undefined,
  schema: S,
): z.output<S> | undefined {
  if (cursor === undefined) return undefined
  const [text = '', signature = '', ...rest] = cursor.split('.')
  const [received, expected] = [Buffer.from(signature, 'base64url'), sign(binding, text)]
  if (rest.length > 0 || received.length !== expected.length || !timingSafeEqual(received, expected)) throw invalid()
  const position = schema.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  if (!position.success) throw invalid()
  return position.data
}

/** Truncates a list that was read with one more row than `limit`, and returns the next cursor; null at the end of the list. */
export function cutPage<T>(
  binding: CursorBinding,
  items: readonly T[],
  limit: number,
  readPosition: (last: T) => unknown,
): { rows: T[]; next: string | null } {
  const rows = items.slice(0, limit)
  const last = items.length > limit ? rows.at(-1) : undefined
  return { rows, next: last === undefined ? null : sealCursor(binding, readPosition(last)) }
}

function sealCursor(binding: CursorBinding, position: unknown): string {
  const text = Buffer.from(JSON.stringify(position)).toString('base64url')
  return `${text}.${sign(binding, text).toString('base64url')}`
}

function sign({ secret, accountId, query }: CursorBinding, position: string): Buffer {
  if (secret === undefined) throw new Error('SERVER_SECRET has no value')
  return createHmac('sha256', secret)
    .update(JSON.stringify(['cursor', accountId, query, position]))
    .digest()
}

function invalid(): ApiError {
  return new ApiError('invalid_request', 'cursor must be a next_cursor of the same list with the same filters', {
    missingFields: ['cursor'],
  })
}
