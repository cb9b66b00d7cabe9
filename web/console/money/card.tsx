import { api } from '../access/api.ts'
import { refreshAfter, useGet } from '../access/queries.ts'
import { Action } from '../parts/buttons/action.tsx'
import { LoadedSection } from '../parts/loaded.tsx'
import { openProviderPage } from './provider-page.ts'

const route = '/api/accounts/{id}/payment-method'

export function Card({ accountId: id }: { accountId: string }) {
  const path = { id }
  const query = useGet('card', route, { path })
  const openCardPage = async (): Promise<void> =>
    openProviderPage((await api.POST(route, { path, body: { successUrl: location.href } })).url)
  return (
    <LoadedSection title="Card" query={query}>
      {({ card }) => (
        <>
          <p>
            {card === null
              ? 'No card on file.'
              : `${card.brand} ending in ${card.last4}, expires ${card.exp_month}/${card.exp_year}`}
          </p>
          <div className="buttons">
            <Action name={card === null ? 'Add a card' : 'Change the card'} onAct={openCardPage} />
            {card !== null && (
              <Action
                name="Remove"
                confirm="Remove the card? This also disables automatic top-up."
                onAct={() => refreshAfter(api.DELETE(route, { path }), 'card')}
              />
            )}
          </div>
        </>
      )}
    </LoadedSection>
  )
}
