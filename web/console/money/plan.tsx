import { forAccountId } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { useDeployment } from '../access/deployment.ts'
import { useGet } from '../access/queries.ts'
import { Action } from '../parts/buttons/action.tsx'
import { LoadedSection } from '../parts/loaded.tsx'
import { Facts } from '../parts/page.tsx'
import { money } from '../parts/words.tsx'
import { openProviderPage, buildReceiptUrl } from './provider-page.ts'
import { formatPlan, describePlanTerms, formatPeriodEnd, formatPrice } from './describe-plan.ts'

export function Plan({ accountId: id }: { accountId: string }) {
  const path = { id }
  const query = useGet('subscription', '/api/accounts/{id}/subscription', { path })
  const manage = async (): Promise<void> => {
    const body = { returnUrl: location.href }
    openProviderPage((await api.POST('/api/accounts/{id}/portal', { path, body })).url)
  }
  return (
    <LoadedSection title="Plan" query={query}>
      {({ plan, status, cancelAtPeriodEnd, ...terms }) =>
        plan === null ? (
          <Offers accountId={id} />
        ) : (
          <>
            <Facts
              facts={[
                ['Plan', formatPlan(plan)],
                ['Status', status],
                ['Price', formatPrice(terms)],
                [cancelAtPeriodEnd === true ? 'Ends' : 'Renews', formatPeriodEnd(terms)],
              ]}
            />
            <Action name="Manage" onAct={manage} />
          </>
        )
      }
    </LoadedSection>
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
            <li key={plan} className="page-head">
              <span>
                <strong>{formatPlan(plan)}</strong>
                <br />
                <span className="quiet">{describePlanTerms(terms[plan])}</span>
              </span>
              <Action
                name={`Subscribe for ${money(terms[plan].priceCents / 100)} a month`}
                isPrimary={plan === 'starter'}
                onAct={() => subscribe(accountId, plan)}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

async function subscribe(accountId: string, plan: 'starter' | 'pro'): Promise<void> {
  const body = { ...forAccountId(), plan, successUrl: buildReceiptUrl(accountId, plan), cancelUrl: location.href }
  openProviderPage((await api.POST('/api/subscriptions/sessions', { body })).url)
}
