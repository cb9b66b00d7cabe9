import type { Stripe } from 'stripe'
import type { CreateCheckout } from '../index.ts'

/** Builds the parameters of a checkout. They do not depend on the time, because a retry of a key must send the same request. */
export function buildCheckoutParams(checkout: CreateCheckout): Stripe.Checkout.SessionCreateParams {
  const { mode, customerId, successUrl, cancelUrl, metadata } = checkout
  return {
    ...buildModeParams(checkout),
    allowed_payment_method_types: ['card'],
    metadata,
    success_url: mode === 'subscription' ? withSessionId(successUrl) : successUrl,
    ...(cancelUrl !== undefined && { cancel_url: cancelUrl }),
    ...(customerId !== undefined && { customer: customerId }),
  }
}

function buildModeParams({
  mode,
  customerId,
  lines = [],
  priceId,
  trialDays,
  saveCard,
  metadata,
}: CreateCheckout): Stripe.Checkout.SessionCreateParams {
  switch (mode) {
    case 'payment':
      return {
        mode,
        line_items: lines.map(({ name, amountCents }) => ({
          quantity: 1,
          price_data: { currency: 'usd', unit_amount: amountCents, product_data: { name } },
        })),
        payment_intent_data: { metadata, ...(saveCard === true && { setup_future_usage: 'off_session' }) },
        ...(customerId === undefined && { customer_creation: 'always' }),
      }
    case 'subscription':
      return {
        mode,
        line_items: [{ quantity: 1, ...(priceId !== undefined && { price: priceId }) }],
        subscription_data: {
          metadata,
          ...(trialDays !== undefined && trialDays > 0 && { trial_period_days: trialDays }),
        },
      }
    default:
      return {
        mode: 'setup',
        setup_intent_data: { metadata },
        ...(customerId === undefined && { customer_creation: 'always' }),
      }
  }
}

/** Adds the vendor's placeholder for the session id, which must not be URL-encoded. */
function withSessionId(url: string): string {
  const [target = '', hash] = url.split('#', 2)
  const withParameter = `${target}${target.includes('?') ? '&' : '?'}session_id={CHECKOUT_SESSION_ID}`
  return hash === undefined ? withParameter : `${withParameter}#${hash}`
}
