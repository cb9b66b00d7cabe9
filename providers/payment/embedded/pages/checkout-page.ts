import type { ProviderSession } from '../../../../domain/payments/provider.ts'
import { isTrusted, page, redirect } from './answers.ts'
import type { PageAnswer, PageStatus } from './answers.ts'
import { readCardForm, FormError } from './card-form.ts'
import { actionForm, cardForm, describeCard, money } from './card-page.ts'
import { attempt, dueToday, refuse } from '../complete.ts'
import type { Attempt } from '../complete.ts'
import { totalOf } from '../events/events.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import type { Party } from '../party.ts'
import { pageUrl } from '../port.ts'
import { formToken, isSame } from '../secrets.ts'
import type { ProviderRows } from '../store.ts'
import { priceOf } from '../subscriptions.ts'

const summaryOf = (party: Party, session: ProviderSession): { title: string; button: string; content: Html } => {
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
    const total = money(totalOf(session))
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
  const price = priceOf(party, request.priceId)
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

/** Where a completed session leads: a subscription's target is told the session. */
const successTarget = ({ id, kind, request }: ProviderSession): string => {
  if (kind !== 'subscription') return request.successUrl
  const target = new URL(request.successUrl)
  target.searchParams.set('session_id', id)
  return target.href
}

const donePage = (party: Party, session: ProviderSession): PageAnswer => {
  const target = successTarget(session)
  if (isTrusted(party, target)) return redirect(target)
  const content = html`<p>This is complete. To go on, open the page of the shop:</p>
    <p><a href="${target}" rel="noreferrer">Continue to ${new URL(target).host}</a></p>`
  return page(party, 'Done', content)
}

const cancelLink = ({ request: { cancelUrl } }: ProviderSession): Html | undefined =>
  cancelUrl === null
    ? undefined
    : html`<p><a href="${cancelUrl}" rel="noreferrer">Cancel and go back to ${new URL(cancelUrl).host}</a></p>`

const openPage = async (
  party: Party,
  rows: ProviderRows,
  session: ProviderSession,
  problem?: { status: PageStatus; message: string },
): Promise<PageAnswer> => {
  const { title, button, content } = summaryOf(party, session)
  const token = formToken(party.secret, session.id, session.forms)
  const known = session.customerId === null ? undefined : await rows.findCustomer(session.customerId)
  const saved = known === undefined || session.kind === 'setup' ? [] : await rows.listCards(known.id)
  const asking =
    session.draft === null
      ? cardForm({ token, button, saved, needsEmail: (known?.email ?? null) === null })
      : html`<h2>Your bank asks</h2>
          <p>
            Confirm ${dueToday(party, session) > 0 ? html`a payment of ${money(dueToday(party, session))}` : 'the card'}
            with ${describeCard(session.draft)}?
          </p>
          ${actionForm(token, 'confirm', 'Confirm')} ${actionForm(token, 'refuse', 'Refuse')}`
  const told = problem && html`<p class="error" role="alert">${problem.message}</p>`
  const target = successTarget(session)
  return page(party, title, html`${content}${told}${asking}${cancelLink(session)}`, {
    status: problem?.status ?? 200,
    target,
  })
}

const expired = (party: Party): PageAnswer =>
  page(party, 'Expired', html`<p>This page was good for 24 hours. Begin again where you came from.</p>`, {
    status: 410,
  })

const isExpired = ({ now }: Party, { expiresAt }: ProviderSession): boolean => expiresAt <= now()

export const showCheckout = (party: Party, session: ProviderSession): Promise<PageAnswer> | PageAnswer => {
  if (session.completedAt !== null) return donePage(party, session)
  return isExpired(party, session) ? expired(party) : openPage(party, party.store, session)
}

const act = async (
  party: Party,
  rows: ProviderRows,
  session: ProviderSession,
  form: URLSearchParams,
): Promise<Attempt | undefined> => {
  if (session.draft !== null) {
    if (form.get('action') === 'confirm') return attempt(party, rows, session, session.draft, true)
    return form.get('action') === 'refuse' ? refuse(party, rows, session) : undefined
  }
  if (form.get('action') !== 'pay') return undefined
  const known = session.customerId === null ? undefined : await rows.findCustomer(session.customerId)
  const saved = known === undefined ? [] : await rows.listCards(known.id)
  const email = known?.email ?? null
  const draft = readCardForm(form, { saved, email, needsEmail: email === null, now: party.now() })
  return attempt(party, rows, session, draft, false)
}

/** Takes one form of an open session. Of equal ones that come at once the first counts; the others see what came of it. */
const take = async (party: Party, rows: ProviderRows, id: string, form: URLSearchParams): Promise<PageAnswer> => {
  const session = await rows.lockSession(id)
  const here = redirect(pageUrl(party, id))
  if (session === undefined || session.completedAt !== null) return here
  if (isExpired(party, session)) return expired(party)
  if (!isSame(form.get('token') ?? '', formToken(party.secret, id, session.forms))) {
    const message = 'This form was sent before, or is not from this page. Here is a new one.'
    return openPage(party, rows, session, { status: 409, message })
  }
  const taken = { ...session, forms: session.forms + 1 }
  await rows.updateSession(taken)
  try {
    const result = await act(party, rows, taken, form)
    if (typeof result !== 'object') return here
    return await openPage(party, rows, { ...taken, draft: null }, { status: 402, message: result.message })
  } catch (error) {
    if (!(error instanceof FormError)) throw error
    return openPage(party, rows, taken, { status: 400, message: error.message })
  }
}

export const submitCheckout = async (party: Party, id: string, form: URLSearchParams): Promise<PageAnswer> => {
  const answer = await party.store.begin((rows) => take(party, rows, id, form))
  party.wake()
  return answer
}
