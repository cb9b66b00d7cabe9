import { useState } from 'react'
import { computePrice } from '../../../domain/payments/payments.ts'
import { forAccountId } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { refresh } from '../access/queries.ts'
import { Form, TextField } from '../parts/form.tsx'
import { Notice } from '../parts/page.tsx'
import { formatCredits, money } from '../parts/words.tsx'
import { openProviderPage, buildReceiptUrl } from './provider-page.ts'

const creditsPerDollar = 1_000_000

type CreditPurchase = { credits: number; totalCents: number }

/** Form that buys credits with the card on file, or else on a page of the payment provider. */
export function BuyCredits({ accountId }: { accountId: string }) {
  const [purchase, setPurchase] = useState<CreditPurchase>()
  const [dollars, setDollars] = useState(10)
  return (
    <>
      <Form
        submit="Buy"
        onSubmit={async (fields) => {
          const credits = toCredits(fields.number('dollars') ?? 0)
          const response = await api.POST('/api/credits/sessions', {
            body: { credits, successUrl: buildReceiptUrl(accountId, 'credits'), ...forAccountId() },
            header: { 'Idempotency-Key': crypto.randomUUID() },
          })
          if ('url' in response) openProviderPage(response.url)
          else {
            setPurchase({ credits: response.creditsPurchased, totalCents: response.totalCents })
            await refresh('credits', 'payments', 'ledger')
          }
        }}
      >
        <TextField
          name="dollars"
          label="US dollars"
          type="number"
          min={1}
          step={1}
          value={dollars}
          onChange={({ target }) => setDollars(target.valueAsNumber)}
          hint={<Price dollars={dollars} />}
          required
        />
      </Form>
      {purchase !== undefined && (
        <Notice>
          Bought {formatCredits(purchase.credits)} of credits for {money(purchase.totalCents / 100)} with the card on
          file. They are added to the balance when the payment is confirmed.
        </Notice>
      )}
    </>
  )
}

/** Total price with the card fee, shown before the checkout opens. */
function Price({ dollars }: { dollars: number }) {
  if (!(dollars >= 1)) return <>The card fee is 2.9% + $0.30.</>
  const { totalCents, feeCents } = computePrice(toCredits(dollars))
  return (
    <>
      You pay {money(totalCents / 100)}: {formatCredits(toCredits(dollars))} of credits and {money(feeCents / 100)} card
      fee.
    </>
  )
}

function toCredits(dollars: number): number {
  return Math.round(dollars * creditsPerDollar)
}
