import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { forAccountId } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Form, TextField } from '../parts/form.tsx'
import { creditsInWords } from '../parts/words.tsx'
import { openProviderPage } from './leave.ts'

const creditsPerDollar = 1_000_000

/** Form that buys credits, with the card on file or, without one, on a page of the payment provider. */
export function BuyCredits() {
  const queries = useQueryClient()
  const [boughtCredits, setBoughtCredits] = useState<number>()
  return (
    <>
      <Form
        submit="Buy"
        onSubmit={async (fields) => {
          const credits = Math.round((fields.number('dollars') ?? 0) * creditsPerDollar)
          const answer = await read(
            api.POST('/api/credits/sessions', {
              body: { credits, successUrl: location.href, ...forAccountId() },
              params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
            }),
          )
          if ('url' in answer) openProviderPage(answer.url)
          else {
            setBoughtCredits(answer.creditsPurchased)
            await queries.invalidateQueries({ queryKey: ['credits'] })
          }
        }}
      >
        <TextField name="dollars" label="US dollars" type="number" min={1} step={1} defaultValue={10} required />
      </Form>
      {boughtCredits !== undefined && (
        <p className="notice" role="status">
          Bought {creditsInWords(boughtCredits)} with the card on file.
        </p>
      )}
    </>
  )
}
