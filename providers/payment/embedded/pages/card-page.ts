import type { ProviderCard } from '../../../../domain/payments/provider.ts'
import { testCards } from '../cards.ts'
import { html, type Html } from '../../../../domain/pages/html.ts'

export function describeCard({
  brand,
  last4,
  expMonth,
  expYear,
}: Omit<ProviderCard, 'id' | 'customerId' | 'behaviour'>): string {
  return `${brand} ending in ${last4}, expires ${formatMonth(expMonth)}/${expYear % 100}`
}

export function formatMoney(cents: number): string {
  return `${(cents / 100).toFixed(2)} USD`
}

export type CardForm = { token: string; button: string; saved: ProviderCard[]; needsEmail: boolean }

/** Renders the form in which the user selects or enters a card. */
export function cardForm({ token, button, saved, needsEmail }: CardForm): Html {
  return html` <form method="post" autocomplete="off">
      <input type="hidden" name="token" value="${token}" />
      ${needsEmail && html`<label>Email <input type="email" name="email" maxlength="254" required /></label>`}
      ${saved.map(renderCardChoice)}
      <label
        ><input type="radio" name="card" value="new" ${saved.length === 0 ? html` checked` : ''} /> A new card</label
      >
      <label
        >Card number <input name="number" inputmode="numeric" maxlength="23" placeholder="4242 4242 4242 4242"
      /></label>
      <label>Expiry <input name="expiry" maxlength="7" placeholder="12/34" /></label>
      <label>Security code <input name="cvc" inputmode="numeric" maxlength="4" placeholder="123" /></label>
      <button name="action" value="pay">${button}</button>
    </form>
    ${testCardTable()}`
}

/** Renders a form with a single button. */
export function actionForm(token: string, action: string, label: string, values: Record<string, string> = {}): Html {
  return html` <form method="post">
    <input type="hidden" name="token" value="${token}" />
    ${Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" /> `)}
    <button class="plain" name="action" value="${action}">${label}</button>
  </form>`
}

function formatMonth(month: number): string {
  return String(month).padStart(2, '0')
}

function renderCardChoice(card: ProviderCard, index: number): Html {
  return html`<label
    ><input type="radio" name="card" value="${card.id}" ${index === 0 ? html` checked` : ''} />
    ${describeCard(card)}</label
  > `
}

/** Renders the table of test cards and their behavior. */
export function testCardTable(): Html {
  return html` <h2>Test cards</h2>
    <table>
      ${testCards.map(
        ({ number, meaning }) =>
          html`<tr>
            <td><code class="number">${groupDigits(number)}</code></td>
            <td>${meaning}</td>
          </tr> `,
      )}
    </table>
    <p>Use any expiry in the future and any three-digit security code.</p>`
}

function groupDigits(number: string): string {
  return number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
}
