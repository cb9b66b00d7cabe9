import type { ProviderSession } from '../../../../domain/payments/provider.ts'
import { isTrusted, page, redirect, type PageResponse, type PageStatus } from './answers.ts'
import { readCardForm, FormError } from './card-form.ts'
import { actionForm, cardForm, describeCard, formatMoney } from './card-page.ts'
import { chargeDraft, computeDueToday, denyConfirmation, type ChargeResult } from '../complete.ts'
import { sumLines } from '../events/events.ts'
import { html, type Html } from '../../../../domain/pages/html.ts'
import type { EmbeddedProvider } from '../provider.ts'
import { pageUrl } from '../port.ts'
import { formToken, equalsConstantTime } from '../secrets.ts'
import type { ProviderRows } from '../store.ts'
import { findPrice } from '../subscriptions.ts'

export function showCheckout(
  provider: EmbeddedProvider,
  session: ProviderSession,
): Promise<PageResponse> | PageResponse {
  if (session.completedAt !== null) return donePage(provider, session)
  return isExpired(provider, session) ? expiredPage(provider) : formPage(provider, provider.store, session)
}

export async function submitCheckout(
  provider: EmbeddedProvider,
  id: string,
  form: URLSearchParams,
): Promise<PageResponse> {
  const response = await provider.store.begin((rows) => handleForm(provider, rows, id, form))
  provider.wake()
  return response
}

function donePage(provider: EmbeddedProvider, session: ProviderSession): PageResponse {
  const target = successTarget(session)
  if (isTrusted(provider, target)) return redirect(target)
  const content = html`<p>The checkout is complete. To continue, open the page of the shop:</p>
    <p><a href="${target}" rel="noreferrer">Continue to ${new URL(target).host}</a></p>`
  return page(provider, 'Done', content)
}

/** Returns the redirect target of a completed session. For a subscription, it contains the session id. */
function successTarget({ id, kind, request }: ProviderSession): string {
  if (kind !== 'subscription') return request.successUrl
  const target = new URL(request.successUrl)
  target.searchParams.set('session_id', id)
  return target.href
}

function isExpired({ now }: EmbeddedProvider, { expiresAt }: ProviderSession): boolean {
  return expiresAt <= now()
}

function expiredPage(provider: EmbeddedProvider): PageResponse {
  return page(provider, 'Expired', html`<p>This page expired after 24 hours. Start again from the shop.</p>`, {
    status: 410,
  })
}

async function formPage(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  session: ProviderSession,
  problem?: { status: PageStatus; message: string },
): Promise<PageResponse> {
  const { title, button, content } = describeCheckout(provider, session)
  const token = formToken(provider.secret, session.id, session.forms)
  const customer = session.customerId === null ? undefined : await rows.findCustomer(session.customerId)
  const saved = customer === undefined || session.kind === 'setup' ? [] : await rows.listCards(customer.id)
  const cardPart =
    session.draft === null
      ? cardForm({ token, button, saved, needsEmail: (customer?.email ?? null) === null })
      : html`<h2>Confirmation by your bank</h2>
          <p>
            Confirm
            ${computeDueToday(provider, session) > 0 ? html`a payment of ${formatMoney(computeDueToday(provider, session))}` : 'the card'}
            with ${describeCard(session.draft)}?
          </p>
          ${actionForm(token, 'confirm', 'Confirm')} ${actionForm(token, 'refuse', 'Refuse')}`
  const errorNote = problem && html`<p class="error" role="alert">${problem.message}</p>`
  const target = successTarget(session)
  return page(provider, title, html`${content}${errorNote}${cardPart}${renderCancelLink(session)}`, {
    status: problem?.status ?? 200,
    target,
  })
}

function describeCheckout(
  provider: EmbeddedProvider,
  session: ProviderSession,
): { title: string; button: string; content: Html } {
  const { kind, request } = session
  if (kind === 'setup')
    return { title: 'Save a card', button: 'Save the card', content: html`<p>Nothing is charged now.</p>` }
  if (kind === 'payment') {
    const rows = request.lines.map(
      ({ name, amountCents }) =>
        html`<tr>
          <td>${name}</td>
          <td>${formatMoney(amountCents)}</td>
        </tr> `,
    )
    const total = formatMoney(sumLines(session))
    const content = html`<table>
        ${rows}
        <tr>
          <th>Total</th>
          <th>${total}</th>
        </tr>
      </table>
      ${request.saveCard && html`<p>The card is saved for later payments.</p>`}`
    return { title: 'Pay', button: `Pay ${total}`, content }
  }
  const price = findPrice(provider, request.priceId)
  const monthly = formatMoney(price?.amountCents ?? 0)
  const isTrial = request.trialDays > 0
  const content = isTrial
    ? html`<p>${request.trialDays} days free, then ${monthly} each month until it is canceled.</p>`
    : html`<p>${monthly} each month until it is canceled.</p>`
  return {
    title: `Subscribe to ${price?.name ?? 'a plan'}`,
    button: isTrial ? 'Start the free trial' : `Pay ${monthly}`,
    content,
  }
}

function renderCancelLink({ request: { cancelUrl } }: ProviderSession): Html | undefined {
  return cancelUrl === null
    ? undefined
    : html`<p><a href="${cancelUrl}" rel="noreferrer">Cancel and go back to ${new URL(cancelUrl).host}</a></p>`
}

/** Handles a form of a session. Of identical concurrent forms, only the first is processed; all show the resulting page. */
async function handleForm(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  id: string,
  form: URLSearchParams,
): Promise<PageResponse> {
  const session = await rows.lockSession(id)
  const samePage = redirect(pageUrl(provider, id))
  if (session === undefined || session.completedAt !== null) return samePage
  if (isExpired(provider, session)) return expiredPage(provider)
  if (!equalsConstantTime(form.get('token') ?? '', formToken(provider.secret, id, session.forms))) {
    const message = 'This form was already sent, or is not from this page. Use the form below.'
    return formPage(provider, rows, session, { status: 409, message })
  }
  const updated = { ...session, forms: session.forms + 1 }
  await rows.updateSession(updated)
  try {
    const result = await applyAction(provider, rows, updated, form)
    if (typeof result !== 'object') return samePage
    return await formPage(provider, rows, { ...updated, draft: null }, { status: 402, message: result.message })
  } catch (error) {
    if (!(error instanceof FormError)) throw error
    return formPage(provider, rows, updated, { status: 400, message: error.message })
  }
}

async function applyAction(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  session: ProviderSession,
  form: URLSearchParams,
): Promise<ChargeResult | undefined> {
  if (session.draft !== null) {
    if (form.get('action') === 'confirm') return chargeDraft(provider, rows, session, session.draft, true)
    return form.get('action') === 'refuse' ? denyConfirmation(provider, rows, session) : undefined
  }
  if (form.get('action') !== 'pay') return undefined
  const customer = session.customerId === null ? undefined : await rows.findCustomer(session.customerId)
  const saved = customer === undefined ? [] : await rows.listCards(customer.id)
  const email = customer?.email ?? null
  const draft = readCardForm(form, { saved, email, needsEmail: email === null, now: provider.now() })
  return chargeDraft(provider, rows, session, draft, false)
}
