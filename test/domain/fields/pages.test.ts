import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { cutPage, pageQuery } from '../../../domain/fields/pages.ts'

const query = z.object(pageQuery(100, 50))

describe('the limit and offset of a list', () => {
  it.each([
    [{}, { limit: 50, offset: 0 }],
    [
      { limit: '1', offset: '7' },
      { limit: 1, offset: 7 },
    ],
    [{ limit: '100' }, { limit: 100, offset: 0 }],
    [{ offset: String(Number.MAX_SAFE_INTEGER) }, { limit: 50, offset: Number.MAX_SAFE_INTEGER }],
  ])('in %j are parsed as %j', (input, page) => {
    expect(query.parse(input)).toEqual(page)
  })

  it.each([
    [{ limit: '0' }, 'limit'],
    [{ limit: '101' }, 'limit'],
    [{ limit: '-1' }, 'limit'],
    [{ limit: '1.5' }, 'limit'],
    [{ limit: '1e1' }, 'limit'],
    [{ limit: ' 1' }, 'limit'],
    [{ limit: 'ten' }, 'limit'],
    [{ offset: '-1' }, 'offset'],
    [{ offset: '9007199254740993' }, 'offset'],
    [{ offset: 'x', limit: 'x' }, 'limit'],
  ])('in %j are rejected with an error at %s', (input, field) => {
    expect(query.safeParse(input).error?.issues[0]?.path).toEqual([field])
  })
})

describe('pages that are read to the end', () => {
  it('contain every row once, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (rows, limit) => {
        const rowsRead: number[] = []
        let offset: number | null = 0
        while (offset !== null) {
          const page: ReturnType<typeof cutPage<number>> = cutPage(rows.slice(offset, offset + limit + 1), {
            limit,
            offset,
          })
          expect(page.rows.length).toBeLessThanOrEqual(limit)
          expect(page.pagination.hasMore).toBe(page.pagination.nextOffset !== null)
          rowsRead.push(...page.rows)
          offset = page.pagination.nextOffset
        }
        expect(rowsRead).toEqual(rows)
      }),
    )
  })
})
