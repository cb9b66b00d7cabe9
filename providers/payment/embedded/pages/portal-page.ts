import type { ProviderCard, ProviderSession, ProviderSubscription } from '../../../../domain/payments/provider.ts'
import { page, redirect, type PageResponse, type PageStatus } from './answers.ts'
import { actionForm, describeCard, formatMoney } from './card-page.ts'
import { html, type Html } from '../../../../domain/pages/html.ts'
import type { EmbeddedProvider } from '../provider.ts'
import { openSession, pageUrl } from '../port.ts'
import { formToken, equalsConstantTime } from '../secrets.ts'
import type { ProviderRows } from '../store.ts'
import { findPrice, insertChangedEvent } from '../subscriptions.ts'

export function showPortal(provider: EmbeddedProvider, session: ProviderSession): Promise<PageResponse> | PageResponse {
  return hasCustomer(session) && session.expiresAt > provider.now()
    ? portalPage(provider, provider.store, session)
    : expiredPage(provider)
}

export async function submitPortal(
  provider: EmbeddedProvider,
  id: string,
  form: URLSearchParams,
): Promise<PageResponse> {
  const response = await provider.store.begin((rows) => handleForm(provider, rows, id, form))
  provider.wake()
  return response ?? openCardSetup(provider, id)
}

function hasCustomer(session: ProviderSession | undefined): session is ProviderSession & { customerId: string } {
  return session !== undefined && session.customerId !== null
}

async function portalPage(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  session: ProviderSession & { customerId: string },
  problem?: { status: PageStatus; message: string },
): Promise<PageResponse> {
  const token = formToken(provider.secret, session.id, session.forms)
  const [customer, subscriptions, cards] = [
    await rows.findCustomer(session.customerId),
    await rows.listSubscriptions(session.customerId),
    await rows.listCards(session.customerId),
  ]
  const returnUrl = session.request.successUrl
  return page(
    provider,
    'Your subscription and cards',
    html`${problem && html`<p class="error" role="alert">${problem.message}</p>`}
      <h2>Subscription</h2>
      ${subscriptions.length === 0 ? html`<p>None.</p>` : subscriptions.map((subscription) => subscriptionPart(provider, token, subscription))}
      <h2>Cards</h2>
      ${cards.length === 0 && html`<p>None.</p>`}
      ${cards.map((card) => cardPart(token, card, card.id === customer?.defaultCardId))}
      ${actionForm(token, 'add', 'Add a card')}
      <p><a href="${returnUrl}" rel="noreferrer">Back to ${new URL(returnUrl).host}</a></p>`,
    { status: problem?.status ?? 200 },
  )
}

function subscriptionPart(provider: EmbeddedProvider, token: string, subscription: ProviderSubscription): Html {
  const { id, status, priceId, cancelAt, periodEnd } = subscription
  const price = findPrice(provider, priceId)
  const heading = html`<strong>${price?.name ?? priceId}</strong>, ${formatMoney(price?.amountCents ?? 0)} each month:
    ${status}.`
  if (status === 'canceled') return html`<p>${heading}</p>`
  const otherPrices = provider.prices.filter((otherPrice) => otherPrice.id !== priceId)
  return html`<p>
      ${heading} ${cancelAt === null ? `Renews on ${formatDay(periodEnd)}.` : `Ends on ${formatDay(cancelAt)}.`}
    </p>
    ${
      cancelAt === null
        ? actionForm(token, 'cancel', 'Cancel at the end of the period', { subscription: id })
        : actionForm(token, 'resume', 'Keep the subscription', { subscription: id })
    }
    ${otherPrices.map((otherPrice) =>
      actionForm(token, 'change', `Change to ${otherPrice.name} (${formatMoney(otherPrice.amountCents)} each month)`, {
        subscription: id,
        price: otherPrice.id,
      }),
    )}`
}

function formatDay(date: Date): string {
  return date.toISOString().slice(0, 10)
}

function cardPart(token: string, card: ProviderCard, isDefault: boolean): Html {
  return html` <p>${describeCard(card)}${isDefault && ' (used by default)'}</p>
    ${!isDefault && actionForm(token, 'default', 'Use by default', { card: card.id })}
    ${actionForm(token, 'remove', 'Remove', { card: card.id })}`
}

function expiredPage(provider: EmbeddedProvider): PageResponse {
  return page(provider, 'Expired', html`<p>This page expired after 24 hours. Open it again from the app.</p>`, {
    status: 410,
  })
}

async function handleForm(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  id: string,
  form: URLSearchParams,
): Promise<PageResponse | undefined> {
  const session = await rows.lockSession(id)
  if (!hasCustomer(session) || session.expiresAt <= provider.now()) return expiredPage(provider)
  if (!equalsConstantTime(form.get('token') ?? '', formToken(provider.secret, id, session.forms)))
    return portalPage(provider, rows, session, {
      status: 409,
      message: 'This form was already sent, or is not from this page. The page shows the current state.',
    })
  await rows.updateSession({ ...session, forms: session.forms + 1 })
  if (form.get('action') === 'add') return undefined
  await applyAction(provider, rows, session, form)
  return redirect(pageUrl(provider, id))
}

async function applyAction(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  session: ProviderSession & { customerId: string },
  form: URLSearchParams,
) {
  const { customerId } = session
  const cardId = form.get('card') ?? ''
  if (form.get('action') === 'default') await makeDefault(rows, customerId, cardId)
  else if (form.get('action') === 'remove') await rows.detachCard(customerId, cardId)
  else await changeSubscription(provider, rows, customerId, form)
}

async function makeDefault(rows: ProviderRows, customerId: string, cardId: string): Promise<void> {
  const customer = await rows.findCustomer(customerId)
  const cards = await rows.listCards(customerId)
  if (customer !== undefined && cards.some(({ id }) => id === cardId))
    await rows.updateCustomer({ ...customer, defaultCardId: cardId })
}

async function changeSubscription(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  customerId: string,
  form: URLSearchParams,
) {
  const subscription = await rows.lockSubscription(form.get('subscription') ?? '')
  if (subscription?.customerId !== customerId || subscription.status === 'canceled') return
  const changed = applyChange(provider, subscription, form)
  if (changed === undefined) return
  await rows.updateSubscription(changed)
  await insertChangedEvent(provider, rows, changed)
}

/** Returns the subscription with the requested change; undefined for an unknown change. */
function applyChange(
  provider: EmbeddedProvider,
  subscription: ProviderSubscription,
  form: URLSearchParams,
): ProviderSubscription | undefined {
  const { periodEnd } = subscription
  switch (form.get('action')) {
    case 'cancel':
      return { ...subscription, cancelAt: subscription.cancelAt ?? periodEnd, nextChargeAt: periodEnd }
    case 'resume':
      return { ...subscription, cancelAt: null }
    case 'change': {
      const price = findPrice(provider, form.get('price'))
      return price && { ...subscription, priceId: price.id }
    }
    default:
      return undefined
  }
}

/** Opens a page that saves a card and then returns to the portal. */
async function openCardSetup(provider: EmbeddedProvider, id: string): Promise<PageResponse> {
  const session = await provider.store.findSession(id)
  if (!hasCustomer(session)) return expiredPage(provider)
  const request = {
    lines: [],
    priceId: null,
    trialDays: 0,
    saveCard: true,
    successUrl: pageUrl(provider, id),
    cancelUrl: pageUrl(provider, id),
    metadata: {},
  }
  const opened = await openSession(
    provider,
    { kind: 'setup', customerId: session.customerId, request },
    { idempotencyKey: `portal ${id} ${session.forms}` },
  )
  return redirect(opened.url)
}
