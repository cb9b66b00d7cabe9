import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Action } from '../parts/action.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Section } from '../parts/page.tsx'
import { openProviderPage } from './provider-page.ts'

export function Card({ accountId: id }: { accountId: string }) {
  const path = { id }
  const queries = useQueryClient()
  const query = useQuery({
    queryKey: ['card', id],
    queryFn: () => read(api.GET('/api/accounts/{id}/payment-method', { params: { path } })),
  })
  const openCardPage = async (): Promise<void> => {
    const body = { successUrl: location.href }
    openProviderPage((await read(api.POST('/api/accounts/{id}/payment-method', { params: { path }, body }))).url)
  }
  const remove = async (): Promise<void> => {
    await read(api.DELETE('/api/accounts/{id}/payment-method', { params: { path } }))
    await queries.invalidateQueries({ queryKey: ['card'] })
  }
  return (
    <Section title="Card">
      <Loaded query={query}>
        {({ card }) => (
          <>
            <p>
              {card === null
                ? 'No card on file.'
                : `${card.brand} ending in ${card.last4}, expires ${card.exp_month}/${card.exp_year}`}
            </p>
            <div className="buttons">
              <Action onAct={openCardPage}>{card === null ? 'Add a card' : 'Change the card'}</Action>
              {card !== null && (
                <Action onAct={remove} confirm="Remove the card? This also disables automatic top-up.">
                  Remove
                </Action>
              )}
            </div>
          </>
        )}
      </Loaded>
    </Section>
  )
}
