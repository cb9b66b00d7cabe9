import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { invalidField, type ApiError } from './errors.ts'
import type { Config } from '../../config.ts'

/** Schema of the `cursor` parameter of a list. */
export const cursorParameter = z.string().max(1000).optional()

/**
 * Creates the cursors of a list, which are valid for one account and for `query`: the name of the list and the parameters that
 * determine the rows and their order. `schema`: the position of a row.
 */
export function bindCursors<S extends z.ZodType>(
  { config }: { config: Config },
  schema: S,
  accountId: string,
  query: readonly unknown[],
) {
  const signPosition = (position: string): Buffer => sign(config.SERVER_SECRET, [accountId, query, position])
  return {
    /** Returns the position in a cursor, or undefined without a cursor. Throws 400 for a cursor of another account or query. */
    open: (cursor: string | undefined): z.output<S> | undefined => {
      if (cursor === undefined) return undefined
      const [text = '', signature = '', ...rest] = cursor.split('.')
      const [received, expected] = [Buffer.from(signature, 'base64url'), signPosition(text)]
      if (rest.length > 0 || received.length !== expected.length || !timingSafeEqual(received, expected))
        throw invalid()
      const position = schema.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString()))
      if (!position.success) throw invalid()
      return position.data
    },
    /** Truncates a list that was read with one more row than `limit`. Returns the next cursor, or null at its end. */
    cut: <T>(
      items: readonly T[],
      limit: number,
      readPosition: (last: T) => unknown,
    ): { rows: T[]; next: string | null } => {
      const rows = items.slice(0, limit)
      const last = items.length > limit ? rows.at(-1) : undefined
      if (last === undefined) return { rows, next: null }
      const text = Buffer.from(JSON.stringify(readPosition(last))).toString('base64url')
      return { rows, next: `${text}.${signPosition(text).toString('base64url')}` }
    },
  }
}

function sign(secret: string | undefined, bound: readonly unknown[]): Buffer {
  if (secret === undefined) throw new Error('SERVER_SECRET has no value')
  return createHmac('sha256', secret)
    .update(JSON.stringify(['cursor', ...bound]))
    .digest()
}

function invalid(): ApiError {
  return invalidField('cursor must be a next_cursor of the same list with the same filters', 'cursor')
}
