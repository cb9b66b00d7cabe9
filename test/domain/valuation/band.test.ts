import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { catalogAge } from '../../../domain/valuation/age.ts'
import { toBandResponse, bandSchema, valuationBand } from '../../../domain/valuation/band.ts'

const now = new Date('2026-08-21T00:00:00Z')

/** Factors per stream and year of age, in 10^-9 USD. */
const factors = { low: 27_890_625n, mid: 40_608_750n, high: 57_120_000n }
const edgeNames = ['low', 'mid', 'high'] as const

const cents = (usd: string): bigint => BigInt(usd.replace('.', ''))

const streams = fc.bigInt({ min: 0n, max: 10n ** 21n })
const age = fc.integer({ min: 1, max: 200 })

describe('the band of a catalog', () => {
  it.each([
    [100_000_000n, '2016-07-01', 10, 278_906.25, 406_087.5, 571_200],
    [2_000_000n, '2026-02-01', 1, 55_781.25, 81_217.5, 114_240],
    [50_000_000n, null, 5, 278_906.25, 406_087.5, 571_200],
    [12_345_678n, '2023-08-21', 3, 114_776.23, 167_114.18, 235_061.71],
  ])('for %s streams since %s (%i years) is %d, %d and %d', (totalStreams, earliest, years, low, mid, high) => {
    expect(catalogAge(earliest, now).years).toBe(years)
    expect(toBandResponse(valuationBand(totalStreams, years))).toEqual({ low, mid, high })
  })

  it('is stored with two decimals', () => {
    expect(valuationBand(100_000_000n, 10)).toEqual({ low: '278906.25', mid: '406087.50', high: '571200.00' })
    expect(valuationBand(0n, 5)).toEqual({ low: '0.00', mid: '0.00', high: '0.00' })
    expect(valuationBand(1n, 1)).toEqual({ low: '0.03', mid: '0.04', high: '0.06' })
  })

  it('is exact beyond 2^53', () => {
    // 9,007,199,254,740,993 is the first integer that a double cannot represent.
    expect(valuationBand(9_007_199_254_740_993n, 1)).toEqual({
      low: '251216416714260.51',
      mid: '365771102735963.30',
      high: '514491221430805.52',
    })
  })

  it('is streams x factor / age, rounded to cents with halves up', () => {
    fc.assert(
      fc.property(streams, age, (totalStreams, years) => {
        const band = valuationBand(totalStreams, years)
        for (const name of edgeNames) {
          const exact = totalStreams * factors[name]
          const unit = 10_000_000n * BigInt(years)
          expect(2n * (cents(band[name]) * unit - exact)).toBeGreaterThan(-unit)
          expect(2n * (cents(band[name]) * unit - exact)).toBeLessThanOrEqual(unit)
        }
      }),
    )
  })

  it('increases with the streams, decreases with the age, and always has low <= mid <= high', () => {
    fc.assert(
      fc.property(streams, streams, age, (totalStreams, addedStreams, years) => {
        const band = valuationBand(totalStreams, years)
        for (const name of edgeNames) {
          expect(cents(valuationBand(totalStreams + addedStreams, years)[name])).toBeGreaterThanOrEqual(
            cents(band[name]),
          )
          expect(cents(valuationBand(totalStreams, years + 1)[name])).toBeLessThanOrEqual(cents(band[name]))
        }
        expect(cents(band.low)).toBeLessThanOrEqual(cents(band.mid))
        expect(cents(band.mid)).toBeLessThanOrEqual(cents(band.high))
      }),
    )
  })

  it('is exact to the cent below 10^13 USD', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 175n * 10n ** 12n }), age, (totalStreams, years) => {
        const band = valuationBand(totalStreams, years)
        const response = bandSchema.parse(JSON.parse(JSON.stringify(toBandResponse(band))))
        for (const name of edgeNames) expect(response[name].toFixed(2)).toBe(band[name])
      }),
    )
  })

  it.each([
    [-1n, 1],
    [1n, 0],
    [1n, 1.5],
    [1n, Number.NaN],
    [1n, Number.POSITIVE_INFINITY],
  ])('is not computed for %s streams and %d years', (totalStreams, years) => {
    expect(() => valuationBand(totalStreams, years)).toThrow(RangeError)
  })
})
