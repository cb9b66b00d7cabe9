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

const subscription = (changes: Partial<OwnedSubscription> = {}): OwnedSubscription => ({
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
  ...changes,
})

test('the starter price belongs to the starter plan, and any other price to the pro plan', () => {
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
])('%s with the cancel date %s is active: %s', (status, cancelAt, active) => {
  expect(isActive({ status, cancelAt })).toBe(active)
})

test.each([
  [null, false, 'take'],
  ['caller', false, 'own'],
  ['caller', true, 'own'],
  ['other', true, 'take'],
  ['other', false, 'refuse'],
])(
  'a claim to a subscription that belongs to %s (placeholder account: %s) has the decision %s',
  (ownerId, isPlaceholder, decision) => {
    expect(decideClaim({ ownerId, isPlaceholder }, 'caller')).toBe(decision)
  },
)

describe('the subscription of an account', () => {
  test('is the active subscription of the account, if any, even if an organization has one', () => {
    const ownSubscription = subscription({ plan: 'starter' })
    const organizationSubscription = subscription({ isOwn: false })
    expect(chooseSubscription([organizationSubscription, ownSubscription])).toBe(ownSubscription)
    expect(showSubscription(ownSubscription)).toMatchObject({ plan: 'starter', source: 'account', name: 'Starter' })
  })

  test('has no plan if it is a second trial', () => {
    const trial = { status: 'trialing', trialCounts: true }
    expect(showSubscription(subscription(trial))).toMatchObject({ status: 'trialing', plan: 'pro', source: 'account' })
    const second = subscription({ ...trial, trialCounts: false })
    expect(showSubscription(second)).toMatchObject({ status: 'trialing', plan: null, source: null })
  })

  test('is the subscription of an organization if the subscription of the account has ended', () => {
    const ownSubscription = subscription({ status: 'canceled' })
    const organizationSubscription = subscription({ isOwn: false })
    expect(chooseSubscription([ownSubscription, organizationSubscription])).toBe(organizationSubscription)
    expect(showSubscription(organizationSubscription)).toMatchObject({
      status: 'active',
      plan: 'pro',
      source: 'organization',
    })
  })

  test('is the latest subscription of the account, without a plan, if none is active', () => {
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
    'with the status none has no values in its other fields',
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
