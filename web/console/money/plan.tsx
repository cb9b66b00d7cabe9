import { useQuery } from '@tanstack/react-query'
import { forAccountId } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { useDeployment } from '../access/deployment.ts'
import { read } from '../access/failure.ts'
import { Action } from '../parts/action.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Facts, Section } from '../parts/page.tsx'
import { formatDateTime, money } from '../parts/words.tsx'
import { openProviderPage, buildReceiptUrl } from './provider-page.ts'
import { formatPlan, describePlanTerms } from './describe-plan.ts'

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
            <Offers accountId={id} />
          ) : (
            <>
              <Facts
                facts={[
                  ['Plan', formatPlan(plan)],
                  ['Status', status],
                  ['Price', amountCents === null ? '–' : `${money(amountCents / 100)} a ${interval ?? 'period'}`],
                  [
                    cancelAtPeriodEnd === true ? 'Ends' : 'Renews',
                    currentPeriodEnd === null ? '–' : formatDateTime(currentPeriodEnd),
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

const plans = ['starter', 'pro'] as const

/** Terms of the free plan, and the plans for sale with their terms and prices. */
function Offers({ accountId }: { accountId: string }) {
  const terms = useDeployment()?.plans
  if (terms === undefined) return null
  const plansForSale = plans.filter((plan) => terms[plan].isSold)
  return (
    <>
      <p>
        You are on the free plan: {describePlanTerms(terms.free)}.
        {plansForSale.length === 0 && ' This deployment sells no other plan.'}
      </p>
      {plansForSale.length > 0 && (
        <ul className="offers">
          {plansForSale.map((plan) => (
            <li key={plan}>
              <span>
                <strong>{formatPlan(plan)}</strong>
                <br />
                <span className="quiet">{describePlanTerms(terms[plan])}</span>
              </span>
              <Action isPrimary={plan === 'starter'} onAct={() => subscribe(accountId, plan)}>
                {`Subscribe for ${money(terms[plan].priceCents / 100)} a month`}
              </Action>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

async function subscribe(accountId: string, plan: 'starter' | 'pro'): Promise<void> {
  const body = { ...forAccountId(), plan, successUrl: buildReceiptUrl(accountId, plan), cancelUrl: location.href }
  openProviderPage((await read(api.POST('/api/subscriptions/sessions', { body }))).url)
}
