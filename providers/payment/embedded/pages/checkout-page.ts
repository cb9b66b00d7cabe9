import type { ProviderSession } from '../../../../domain/payments/provider.ts'
import { isTrusted, page, redirect, type PageResponse, type PageStatus } from './answers.ts'
import { readCardForm, FormError } from './card-form.ts'
import { actionForm, cardForm, describeCard, money } from './card-page.ts'
import { attempt, dueToday, refuse, type Attempt } from '../complete.ts'
import { sumLines } from '../events/events.ts'
import { html, type Html } from '../../../../domain/pages/html.ts'
import type { EmbeddedProvider } from '../provider.ts'
import { pageUrl } from '../port.ts'
import { formToken, isSame } from '../secrets.ts'
import type { ProviderRows } from '../store.ts'
import { findPrice } from '../subscriptions.ts'

export function showCheckout(
  provider: EmbeddedProvider,
  session: ProviderSession,
): Promise<PageResponse> | PageResponse {
  if (session.completedAt !== null) return donePage(provider, session)
  return isExpired(provider, session) ? expired(provider) : openPage(provider, provider.store, session)
}

export async function submitCheckout(
  provider: EmbeddedProvider,
  id: string,
  form: URLSearchParams,
): Promise<PageResponse> {
  const answer = await provider.store.begin((rows) => take(provider, rows, id, form))
  provider.wake()
  return answer
}

function donePage(provider: EmbeddedProvider, session: ProviderSession): PageResponse {
  const target = successTarget(session)
  if (isTrusted(provider, target)) return redirect(target)
  const content = html`<p>This is complete. To go on, open the page of the shop:</p>
    <p><a href="${target}" rel="noreferrer">Continue to ${new URL(target).host}</a></p>`
  return page(provider, 'Done', content)
}

/** Redirect target of a completed session; that of a subscription receives the session id. */
function successTarget({ id, kind, request }: ProviderSession): string {
  if (kind !== 'subscription') return request.successUrl
  const target = new URL(request.successUrl)
  target.searchParams.set('session_id', id)
  return target.href
}

function isExpired({ now }: EmbeddedProvider, { expiresAt }: ProviderSession): boolean {
  return expiresAt <= now()
}

function expired(provider: EmbeddedProvider): PageResponse {
  return page(provider, 'Expired', html`<p>This page was good for 24 hours. Begin again where you came from.</p>`, {
    status: 410,
  })
}

async function openPage(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  session: ProviderSession,
  problem?: { status: PageStatus; message: string },
): Promise<PageResponse> {
  const { title, button, content } = describeCheckout(provider, session)
  const token = formToken(provider.secret, session.id, session.forms)
  const known = session.customerId === null ? undefined : await rows.findCustomer(session.customerId)
  const saved = known === undefined || session.kind === 'setup' ? [] : await rows.listCards(known.id)
  const asking =
    session.draft === null
      ? cardForm({ token, button, saved, needsEmail: (known?.email ?? null) === null })
      : html`<h2>Your bank asks</h2>
          <p>
            Confirm
            ${dueToday(provider, session) > 0 ? html`a payment of ${money(dueToday(provider, session))}` : 'the card'}
            with ${describeCard(session.draft)}?
          </p>
          ${actionForm(token, 'confirm', 'Confirm')} ${actionForm(token, 'refuse', 'Refuse')}`
  const errorNote = problem && html`<p class="error" role="alert">${problem.message}</p>`
  const target = successTarget(session)
  return page(provider, title, html`${content}${errorNote}${asking}${cancelLink(session)}`, {
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
          <td>${money(amountCents)}</td>
        </tr> `,
    )
    const total = money(sumLines(session))
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
  const monthly = money(price?.amountCents ?? 0)
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

function cancelLink({ request: { cancelUrl } }: ProviderSession): Html | undefined {
  return cancelUrl === null
    ? undefined
    : html`<p><a href="${cancelUrl}" rel="noreferrer">Cancel and go back to ${new URL(cancelUrl).host}</a></p>`
}

/** Handles a form of an open session. Of concurrent equal forms the first counts, and the others show its result. */
async function take(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  id: string,
  form: URLSearchParams,
): Promise<PageResponse> {
  const session = await rows.lockSession(id)
  const here = redirect(pageUrl(provider, id))
  if (session === undefined || session.completedAt !== null) return here
  if (isExpired(provider, session)) return expired(provider)
  if (!isSame(form.get('token') ?? '', formToken(provider.secret, id, session.forms))) {
    const message = 'This form was sent before, or is not from this page. Here is a new one.'
    return openPage(provider, rows, session, { status: 409, message })
  }
  const taken = { ...session, forms: session.forms + 1 }
  await rows.updateSession(taken)
  try {
    const result = await act(provider, rows, taken, form)
    if (typeof result !== 'object') return here
    return await openPage(provider, rows, { ...taken, draft: null }, { status: 402, message: result.message })
  } catch (error) {
    if (!(error instanceof FormError)) throw error
    return openPage(provider, rows, taken, { status: 400, message: error.message })
  }
}

async function act(
  provider: EmbeddedProvider,
  rows: ProviderRows,
  session: ProviderSession,
  form: URLSearchParams,
): Promise<Attempt | undefined> {
  if (session.draft !== null) {
    if (form.get('action') === 'confirm') return attempt(provider, rows, session, session.draft, true)
    return form.get('action') === 'refuse' ? refuse(provider, rows, session) : undefined
  }
  if (form.get('action') !== 'pay') return undefined
  const known = session.customerId === null ? undefined : await rows.findCustomer(session.customerId)
  const saved = known === undefined ? [] : await rows.listCards(known.id)
  const email = known?.email ?? null
  const draft = readCardForm(form, { saved, email, needsEmail: email === null, now: provider.now() })
  return attempt(provider, rows, session, draft, false)
}
