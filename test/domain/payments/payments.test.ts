import { assert, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { declineReason, computePrice } from '../../../domain/payments/payments.ts'

/** Returns the thousandths of a cent that remain after the card fee. */
const subtractFee = (total: number): number => total * 971 - 30_000

describe('the price of credits', () => {
  test.each([
    [1, 1, 32, 31],
    [1_000_000, 100, 134, 34],
    [2_500_000, 250, 289, 39],
    [5_000_000, 500, 546, 46],
    [100_000_000, 10_000, 10_330, 330],
  ])('for %i is %i cents, or %i with a fee of %i', (credits, cents, totalCents, feeCents) => {
    expect(computePrice(credits)).toEqual({ cents, totalCents, feeCents })
  })

  test('covers the card fee exactly, so that one cent less would not', () => {
    assert(
      property(integer({ min: 1, max: 100_000_000_000 }), (credits) => {
        const { cents, totalCents, feeCents } = computePrice(credits)
        expect(cents).toBe(Math.ceil(credits / 10_000))
        expect(feeCents).toBe(totalCents - cents)
        expect(subtractFee(totalCents)).toBeGreaterThanOrEqual(cents * 1000)
        expect(subtractFee(totalCents - 1)).toBeLessThan(cents * 1000)
      }),
    )
  })
})

describe('a decline', () => {
  test('is reported with the fixed text of its code', () => {
    expect(declineReason('expired_card')).toEqual({ code: 'expired_card', message: 'The card has expired' })
    expect(declineReason('do_not_honor')).toEqual({ code: 'do_not_honor', message: 'The card was declined' })
  })

  test.each([undefined, null, '', 'No such card: <b>1</b>', 'x'.repeat(65)])(
    'with the code %j is reported with the default text',
    (code) => {
      expect(declineReason(code)).toEqual({ code: 'card_declined', message: 'The card was declined' })
    },
  )
})
