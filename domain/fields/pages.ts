import { z } from 'zod'
import { queryInteger } from './fields.ts'

export type Page = { limit: number; offset: number }

/** The `limit` and `offset` of a list query. */
export function pageQuery(maxLimit: number, defaultLimit: number, maxOffset = Number.MAX_SAFE_INTEGER) {
  return {
    limit: queryInteger(1, maxLimit, defaultLimit),
    offset: queryInteger(0, maxOffset, 0),
  }
}

/** Maximum bytes of a page. A page with a larger row contains only this row. */
export const maxPageBytes = 4_000_000

export const nextOffsetField = z.int().optional().meta({
  description: 'Offset of the next page. Present if this page ends before its limit because it has reached 4 MB.',
})

/** Returns the `next_offset` field of a page; empty for the last page. */
export function toNextOffset(nextOffset: number | undefined): { next_offset?: number } {
  return nextOffset === undefined ? {} : { next_offset: nextOffset }
}

/** Pagination of a list with a total count. */
export const countedPagination = z.object({
  total_count: z.int(),
  limit: z.int(),
  offset: z.int(),
  next_offset: nextOffsetField,
})

export function countedPage(
  count: number,
  { limit, offset }: Page,
  nextOffset?: number,
): z.output<typeof countedPagination> {
  return { total_count: count, limit, offset, ...toNextOffset(nextOffset) }
}

/** The `page` and `limit` of a list with numbered pages. */
export function numberedQuery(defaultLimit: number) {
  return { page: queryInteger(1, 1_000_000, 1), limit: queryInteger(1, 100, defaultLimit) }
}

/** Converts the number of a page to the position of its rows. */
export function toPage({ page, limit }: { page: number; limit: number }): Page {
  return { limit, offset: (page - 1) * limit }
}

/** Pagination of a list with numbered pages. */
export const numberedPagination = z.object({
  total_count: z.int(),
  page: z.int(),
  limit: z.int(),
  total_pages: z.int(),
})

export function numberedPage(count: number, { page, limit }: { page: number; limit: number }) {
  return { total_count: count, page, limit, total_pages: Math.ceil(count / limit) }
}

export const pagination = z.object({
  limit: z.int(),
  offset: z.int(),
  hasMore: z.boolean(),
  nextOffset: z.int().nullable(),
})

/** Cuts rows that were read with `limit + 1` to the page. Returns the offset of the next page, or null. */
export function cutPage<Row>(rows: readonly Row[], { limit, offset }: Page) {
  const hasMore = rows.length > limit
  return {
    rows: rows.slice(0, limit),
    pagination: { limit, offset, hasMore, nextOffset: hasMore ? offset + limit : null },
  }
}

/** Returns the first rows whose total size is at most `maxBytes`, but at least one row. */
export function cutToBytes<Row extends { bytes: number }>(rows: readonly Row[], maxBytes: number): Row[] {
  let sum = 0
  const end = rows.findIndex(({ bytes }, index) => (sum += bytes) > maxBytes && index > 0)
  return end === -1 ? [...rows] : rows.slice(0, end)
}
