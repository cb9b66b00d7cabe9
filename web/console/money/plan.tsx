import { useQuery } from '@tanstack/react-query'
import { forAccountId } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Action } from '../parts/action.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Facts, Section } from '../parts/page.tsx'
import { exactly, money } from '../parts/words.tsx'
import { openProviderPage } from './leave.ts'

export function Plan({ accountId: id }: { accountId: string }) {
  const path = { id }
  const query = useQuery({
    queryKey: ['subscription', id],
    queryFn: () => read(api.GET('/api/accounts/{id}/subscription', { params: { path } })),
  })
  const manage = async (): Promise<void> =>
    openProviderPage(
      (await read(api.POST('/api/accounts/{id}/portal', { params: { path }, body: { returnUrl: location.href } }))).url,
    )
  return (
    <Section title="Plan">
      <Loaded query={query}>
        {({ plan, status, amountCents, interval, currentPeriodEnd, cancelAtPeriodEnd }) =>
          plan === null ? (
            <>
              <p className="quiet">You are on the free plan.</p>
              <div className="buttons">
                <Action onAct={() => subscribe('starter')}>Subscribe to Starter</Action>
                <Action onAct={() => subscribe('pro')}>Subscribe to Pro</Action>
              </div>
            </>
          ) : (
            <>
              <Facts
                facts={[
                  ['Plan', plan],
                  ['State', status],
                  ['Price', amountCents === null ? '–' : `${money(amountCents / 100)} a ${interval ?? 'period'}`],
                  [
                    cancelAtPeriodEnd === true ? 'Ends' : 'Renews',
                    currentPeriodEnd === null ? '–' : exactly(currentPeriodEnd),
                  ],
                ]}
              />
              <Action onAct={manage}>Manage</Action>
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

async function subscribe(plan: 'starter' | 'pro'): Promise<void> {
  const body = { ...forAccountId(), plan, successUrl: location.href, cancelUrl: location.href }
  openProviderPage((await read(api.POST('/api/subscriptions/sessions', { body }))).url)
}
