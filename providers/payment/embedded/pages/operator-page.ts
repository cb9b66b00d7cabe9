import { page, redirect } from './answers.ts'
import type { PageAnswer } from './answers.ts'
import { actionForm } from './card-page.ts'
import { testCards } from '../cards.ts'
import { html } from './html.ts'
import type { Party } from '../party.ts'
import { pageUrl } from '../port.ts'
import { formToken, isSame } from '../secrets.ts'

/** What takes the place of a session's id in the address of this page. */
export const operatorId = 'operator'

const shown = 100
const token = ({ secret }: Party): string => formToken(secret, operatorId, 0)

/** The latest events and what came of them. */
export const showOperator = async (party: Party): Promise<PageAnswer> => {
  const events = await party.store.listEvents(shown)
  const rows = events.map(
    ({ id, type, objectId, attempts, deliveredAt, lastAnswer, createdAt }) =>
      html`<tr>
        <td>${createdAt.toISOString()}</td>
        <td>${type}<br /><code>${objectId}</code></td>
        <td>
          ${deliveredAt === null ? 'not delivered' : 'delivered'}${lastAnswer !== null && `, last answer ${lastAnswer}`},
          ${attempts} tries
        </td>
        <td>${actionForm(token(party), 'repeat', 'Send again', { event: id })}</td>
      </tr> `,
  )
  return page(
    party,
    'Embedded payment party',
    html`<h2>Test cards</h2>
      <table>
        ${testCards.map(
          ({ number, meaning }) =>
            html`<tr>
              <td><code>${number}</code></td>
              <td>${meaning}</td>
            </tr> `,
        )}
      </table>
      <h2>Events told to the webhook</h2>
      ${
        events.length === 0
          ? html`<p>None so far.</p>`
          : html`<table>
              ${rows}
            </table>`
      }`,
  )
}

export const submitOperator = async (party: Party, form: URLSearchParams): Promise<PageAnswer> => {
  if (!isSame(form.get('token') ?? '', token(party)))
    return page(party, 'Not from this page', html`<p>Open the page anew.</p>`, { status: 409 })
  const event = form.get('event')
  if (form.get('action') === 'repeat' && event !== null) {
    await party.store.repeatEvent(event, party.now())
    party.wake()
  }
  return redirect(pageUrl(party, operatorId))
}
