import { describe, expect, test } from 'vitest'
import {
  chooseSubscription,
  decideClaim,
  isActive,
  planOfPrice,
  showSubscription,
  type OwnedSubscription,
} from '../../../domain/payments/subscriptions.ts'

const at = (day: number): Date => new Date(Date.UTC(2026, 0, day))

const subscription = (given: Partial<OwnedSubscription> = {}): OwnedSubscription => ({
  subscriptionId: 'sub_1',
  status: 'active',
  priceId: 'price_pro',
  plan: 'pro',
  amountCents: 9900,
  currency: 'usd',
  interval: 'month',
  periodStart: at(1),
  periodEnd: at(31),
  cancelAt: null,
  customerId: 'cus_1',
  isOwn: true,
  trialCounts: false,
  createdAt: at(1),
  ...given,
})

test('the starter price is starter, any other is pro', () => {
  expect([planOfPrice('a', 'a'), planOfPrice('b', 'a'), planOfPrice('b', undefined)]).toEqual(['starter', 'pro', 'pro'])
})

test.each([
  ['active', null, true],
  ['active', at(9), true],
  ['trialing', null, true],
  ['trialing', at(9), false],
  ['past_due', null, false],
  ['canceled', null, false],
  ['incomplete', null, false],
])('%s with a cancel date of %s counts: %s', (status, cancelAt, active) => {
  expect(isActive({ status, cancelAt })).toBe(active)
})

test.each([
  [null, false, 'take'],
  ['caller', false, 'own'],
  ['caller', true, 'own'],
  ['other', true, 'take'],
  ['other', false, 'refuse'],
])('a subscription of %s whose account is a placeholder (%s): %s', (ownerId, isPlaceholder, decision) => {
  expect(decideClaim({ ownerId, isPlaceholder }, 'caller')).toBe(decision)
})

describe('the subscription of an account', () => {
  test('is its own active one before that of an organization', () => {
    const own = subscription({ plan: 'starter' })
    const theirs = subscription({ isOwn: false })
    expect(chooseSubscription([theirs, own])).toBe(own)
    expect(showSubscription(own)).toMatchObject({ plan: 'starter', source: 'account', name: 'Starter' })
  })

  test('is no trial that another one came before', () => {
    const trial = { status: 'trialing', trialCounts: true }
    expect(showSubscription(subscription(trial))).toMatchObject({ status: 'trialing', plan: 'pro', source: 'account' })
    const second = subscription({ ...trial, trialCounts: false })
    expect(showSubscription(second)).toMatchObject({ status: 'trialing', plan: null, source: null })
  })

  test('is that of an organization where its own is over', () => {
    const own = subscription({ status: 'canceled' })
    const theirs = subscription({ isOwn: false })
    expect(chooseSubscription([own, theirs])).toBe(theirs)
    expect(showSubscription(theirs)).toMatchObject({ status: 'active', plan: 'pro', source: 'organization' })
  })

  test('is its last own one where none is active, and speaks for no plan', () => {
    const [first, last] = [subscription({ status: 'canceled' }), subscription({ status: 'past_due', createdAt: at(2) })]
    expect(chooseSubscription([first, last])).toBe(last)
    expect(showSubscription(last)).toEqual({
      status: 'past_due',
      plan: null,
      source: null,
      name: 'Pro',
      amountCents: 9900,
      currency: 'usd',
      interval: 'month',
      currentPeriodEnd: at(31).toISOString(),
      cancelAtPeriodEnd: false,
    })
  })

  test.each([undefined, subscription({ status: 'incomplete' })])(
    'with the status none has no further fields',
    (none) => {
      expect(showSubscription(none)).toEqual({
        status: 'none',
        plan: null,
        source: null,
        name: null,
        amountCents: null,
        currency: null,
        interval: null,
        currentPeriodEnd: null,
        cancelAtPeriodEnd: null,
      })
    },
  )
})
