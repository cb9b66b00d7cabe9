import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { catalogAge } from '../../../domain/valuation/age.ts'

const now = new Date('2026-08-21T00:00:00Z')
const yearMs = 365.25 * 86_400_000

describe('the age of a catalog', () => {
  it.each([
    [null, 5, 'unknown'],
    ['2016-07-01', 10, 'releases'],
    ['2026-02-01', 1, 'first-year'],
    ['2026-08-22', 1, 'first-year'],
    ['2090-01-01', 1, 'first-year'],
    ['2025-08-22', 1, 'first-year'],
    ['2025-08-20', 1, 'releases'],
    ['2025-02-20', 1, 'releases'],
    ['2025-02-19', 2, 'releases'],
    ['1860-01-01', 167, 'releases'],
  ])('since %s is %i, with the basis %s', (earliest, years, basis) => {
    expect(catalogAge(earliest, now)).toEqual({ years, basis })
  })

  it('is rounded to whole years, with halves up, and is at least one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 0, max: 86_399_999 }), (days, ms) => {
        const earliest = '1900-01-01'
        const elapsedMs = days * 86_400_000 + ms
        const { years } = catalogAge(earliest, new Date(Date.parse(earliest) + elapsedMs))
        expect(years).toBeGreaterThanOrEqual(1)
        expect(2 * elapsedMs).toBeLessThan((2 * years + 1) * yearMs)
        if (years > 1) expect(2 * elapsedMs).toBeGreaterThanOrEqual((2 * years - 1) * yearMs)
      }),
    )
  })

  it('requires a full date', () => {
    for (const text of ['2016-13-01', 'soon', '']) expect(() => catalogAge(text, now)).toThrow(RangeError)
  })
})
