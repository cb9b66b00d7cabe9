import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addUsd, creditsToUsd, isMoreUsd, multiplyUsd, usdToCredits } from '../../../domain/credits/money.ts'

describe('credits of a price in USD', () => {
  it.each([
    ['0.05174', 51_740],
    ['0.0000004', 1],
    ['0.126', 126_000],
    ['0', 1],
    ['0.29', 290_000],
    ['1', 1_000_000],
    ['1.0000019', 1_000_001],
    ['0.289999999999', 289_999],
    ['0.2899999999999999', 290_000],
    ['4e-7', 1],
    ['1.5e-3', 1500],
    ['2E+1', 20_000_000],
  ])('%s USD is %i', (usd, credits) => expect(usdToCredits(usd)).toBe(credits))

  it.each(['', '-1', '.5', 'NaN', 'Infinity', '1,5', ' 1', '0x10', '99999999999999'])('%j is rejected', (usd) => {
    expect(() => usdToCredits(usd)).toThrow(RangeError)
  })

  it('are exact for every amount of credits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (credits) => {
        expect(usdToCredits(creditsToUsd(credits))).toBe(credits)
      }),
    )
  })
})

it.each([
  ['0.1', '0.2', '0.3'],
  ['0', '0.0000000000001', '0.0000000000001'],
  ['1e-7', '2', '2.0000001'],
  ['12', '30', '42'],
])('%s and %s USD are %s, exactly', (a, b, sum) => expect(addUsd(a, b)).toBe(sum))

it.each([
  ['0.003', 42, '0.126'],
  ['0.003', 0, '0.000'],
  ['1.5', 2, '3.0'],
  ['7', 3, '21'],
  ['0.000000000001', 9_007_199_254_740_991, '9007.199254740991'],
])('%s USD times %i are %s, exactly', (usd, times, product) => expect(multiplyUsd(usd, times)).toBe(product))

it.each([
  ['25.001', '25', true],
  ['25.000', '25', false],
  ['24.9999999999999999999', '25', false],
  ['0.3', '0.30000000000000000001', false],
  ['1e-7', '0.00000009', true],
])('%s USD is more than %s: %s', (a, b, isMore) => expect(isMoreUsd(a, b)).toBe(isMore))

it.each([
  [51_740, '0.051740'],
  [-10_000, '-0.010000'],
  [0, '0.000000'],
  [123_456_789, '123.456789'],
])('%i credits are %s USD', (credits, usd) => expect(creditsToUsd(credits)).toBe(usd))
