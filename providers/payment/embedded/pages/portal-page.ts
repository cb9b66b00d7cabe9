import type { ProviderCard, ProviderSession, ProviderSubscription } from '../../../../domain/payments/provider.ts'
import { page, redirect } from './answers.ts'
import type { PageAnswer, PageStatus } from './answers.ts'
import { actionForm, describeCard, money } from './card-page.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import type { Party } from '../party.ts'
import { openSession, pageUrl } from '../port.ts'
import { formToken, isSame } from '../secrets.ts'
import type { ProviderRows } from '../store.ts'
import { priceOf, raiseChanged } from '../subscriptions.ts'

const day = (date: Date): string => date.toISOString().slice(0, 10)

const subscriptionPart = (party: Party, token: string, subscription: ProviderSubscription): Html => {
  const { id, status, priceId, cancelAt, periodEnd } = subscription
  const price = priceOf(party, priceId)
  const heading = html`<strong>${price?.name ?? priceId}</strong>, ${money(price?.amountCents ?? 0)} each month:
    ${status}.`
  if (status === 'canceled') return html`<p>${heading}</p>`
  const others = party.prices.filter((other) => other.id !== priceId)
  return html`<p>${heading} ${cancelAt === null ? `Renews on ${day(periodEnd)}.` : `Ends on ${day(cancelAt)}.`}</p>
    ${
      cancelAt === null
        ? actionForm(token, 'cancel', 'Cancel at the end of the period', { subscription: id })
        : actionForm(token, 'resume', 'Go on after all', { subscription: id })
    }
    ${others.map((other) =>
      actionForm(token, 'change', `Change to ${other.name} (${money(other.amountCents)} each month)`, {
        subscription: id,
        price: other.id,
      }),
    )}`
}

const cardPart = (token: string, card: ProviderCard, isDefault: boolean): Html =>
  html` <p>${describeCard(card)}${isDefault && ' (used by default)'}</p>
    ${!isDefault && actionForm(token, 'default', 'Use by default', { card: card.id })}
    ${actionForm(token, 'remove', 'Remove', { card: card.id })}`

const openPage = async (
  party: Party,
  rows: ProviderRows,
  session: ProviderSession & { customerId: string },
  problem?: { status: PageStatus; message: string },
): Promise<PageAnswer> => {
  const token = formToken(party.secret, session.id, session.forms)
  const [customer, subscriptions, cards] = [
    await rows.findCustomer(session.customerId),
    await rows.listSubscriptions(session.customerId),
    await rows.listCards(session.customerId),
  ]
  const back = session.request.successUrl
  return page(
    party,
    'Your subscription and cards',
    html`${problem && html`<p class="error" role="alert">${problem.message}</p>`}
      <h2>Subscription</h2>
      ${subscriptions.length === 0 ? html`<p>None.</p>` : subscriptions.map((one) => subscriptionPart(party, token, one))}
      <h2>Cards</h2>
      ${cards.length === 0 && html`<p>None.</p>`}
      ${cards.map((card) => cardPart(token, card, card.id === customer?.defaultCardId))}
      ${actionForm(token, 'add', 'Add a card')}
      <p><a href="${back}" rel="noreferrer">Back to ${new URL(back).host}</a></p>`,
    { status: problem?.status ?? 200 },
  )
}

/** A change of a live subscription of the customer; undefined where the form asks for something that is not there. */
const changed = (
  party: Party,
  subscription: ProviderSubscription,
  form: URLSearchParams,
): ProviderSubscription | undefined => {
  const { periodEnd } = subscription
  switch (form.get('action')) {
    case 'cancel':
      return { ...subscription, cancelAt: subscription.cancelAt ?? periodEnd, nextChargeAt: periodEnd }
    case 'resume':
      return { ...subscription, cancelAt: null }
    case 'change': {
      const price = priceOf(party, form.get('price'))
      return price && { ...subscription, priceId: price.id }
    }
    default:
      return undefined
  }
}

const changeSubscription = async (party: Party, rows: ProviderRows, customerId: string, form: URLSearchParams) => {
  const subscription = await rows.lockSubscription(form.get('subscription') ?? '')
  if (subscription?.customerId !== customerId || subscription.status === 'canceled') return
  const next = changed(party, subscription, form)
  if (next === undefined) return
  await rows.updateSubscription(next)
  await raiseChanged(party, rows, next)
}

const makeDefault = async (rows: ProviderRows, customerId: string, cardId: string): Promise<void> => {
  const customer = await rows.findCustomer(customerId)
  const cards = await rows.listCards(customerId)
  if (customer !== undefined && cards.some(({ id }) => id === cardId))
    await rows.updateCustomer({ ...customer, defaultCardId: cardId })
}

const act = async (
  party: Party,
  rows: ProviderRows,
  session: ProviderSession & { customerId: string },
  form: URLSearchParams,
) => {
  const { customerId } = session
  const cardId = form.get('card') ?? ''
  if (form.get('action') === 'default') await makeDefault(rows, customerId, cardId)
  else if (form.get('action') === 'remove') await rows.detachCard(customerId, cardId)
  else await changeSubscription(party, rows, customerId, form)
}

const isOwned = (session: ProviderSession | undefined): session is ProviderSession & { customerId: string } =>
  session !== undefined && session.customerId !== null

const gone = (party: Party): PageAnswer =>
  page(party, 'Expired', html`<p>This page was good for 24 hours. Begin again where you came from.</p>`, {
    status: 410,
  })

export const showPortal = (party: Party, session: ProviderSession): Promise<PageAnswer> | PageAnswer =>
  isOwned(session) && session.expiresAt > party.now() ? openPage(party, party.store, session) : gone(party)

const take = async (
  party: Party,
  rows: ProviderRows,
  id: string,
  form: URLSearchParams,
): Promise<PageAnswer | undefined> => {
  const session = await rows.lockSession(id)
  if (!isOwned(session) || session.expiresAt <= party.now()) return gone(party)
  if (!isSame(form.get('token') ?? '', formToken(party.secret, id, session.forms)))
    return openPage(party, rows, session, {
      status: 409,
      message: 'This form was sent before, or is not from this page. Here is the page as it is now.',
    })
  await rows.updateSession({ ...session, forms: session.forms + 1 })
  if (form.get('action') === 'add') return undefined
  await act(party, rows, session, form)
  return redirect(pageUrl(party, id))
}

/** A page of its own on which a card is saved, and which leads back. */
const openSetup = async (party: Party, id: string): Promise<PageAnswer> => {
  const session = await party.store.findSession(id)
  if (!isOwned(session)) return gone(party)
  const request = {
    lines: [],
    priceId: null,
    trialDays: 0,
    saveCard: true,
    successUrl: pageUrl(party, id),
    cancelUrl: pageUrl(party, id),
    metadata: {},
  }
  const opened = await openSession(
    party,
    { kind: 'setup', customerId: session.customerId, request },
    { idempotencyKey: `portal ${id} ${session.forms}` },
  )
  return redirect(opened.url)
}

export const submitPortal = async (party: Party, id: string, form: URLSearchParams): Promise<PageAnswer> => {
  const answer = await party.store.begin((rows) => take(party, rows, id, form))
  party.wake()
  return answer ?? openSetup(party, id)
}
