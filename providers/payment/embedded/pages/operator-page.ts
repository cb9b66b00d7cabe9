import { page, redirect, type PageResponse } from './answers.ts'
import { actionForm, testCardTable } from './card-page.ts'
import { html } from '../../../../domain/pages/html.ts'
import type { EmbeddedProvider } from '../provider.ts'
import { pageUrl } from '../port.ts'
import { formToken, equalsConstantTime } from '../secrets.ts'

/** Id in the URL of this page, in place of a session id. */
export const operatorId = 'operator'

const maxEvents = 100

/** Renders the latest events and their deliveries. */
export async function showOperator(provider: EmbeddedProvider): Promise<PageResponse> {
  const events = await provider.store.listEvents(maxEvents)
  const rows = events.map(
    ({ id, type, objectId, attempts, deliveredAt, lastAnswer, createdAt }) =>
      html`<tr>
        <td>${createdAt.toISOString()}</td>
        <td>${type}<br /><code>${objectId}</code></td>
        <td>
          ${deliveredAt === null ? 'not delivered' : 'delivered'}${lastAnswer !== null && `, last response ${lastAnswer}`},
          ${attempts} attempts
        </td>
        <td>${actionForm(buildFormToken(provider), 'repeat', 'Send again', { event: id })}</td>
      </tr> `,
  )
  return page(
    provider,
    'Embedded payment provider',
    html`${testCardTable()}
      <h2>Events sent to the webhook</h2>
      ${
        events.length === 0
          ? html`<p>None yet.</p>`
          : html`<div class="scroll">
              <table>
                ${rows}
              </table>
            </div>`
      }`,
  )
}

export async function submitOperator(provider: EmbeddedProvider, form: URLSearchParams): Promise<PageResponse> {
  if (!equalsConstantTime(form.get('token') ?? '', buildFormToken(provider)))
    return page(provider, 'Outdated form', html`<p>Reload the page and try again.</p>`, { status: 409 })
  const event = form.get('event')
  if (form.get('action') === 'repeat' && event !== null) {
    await provider.store.repeatEvent(event, provider.now())
    provider.wake()
  }
  return redirect(pageUrl(provider, operatorId))
}

function buildFormToken({ secret }: EmbeddedProvider): string {
  return formToken(secret, operatorId, 0)
}
