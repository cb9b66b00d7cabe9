import { useQuery } from '@tanstack/react-query'
import { forAccountId } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { useDeployment } from '../access/deployment.ts'
import { read } from '../access/failure.ts'
import { Action } from '../parts/action.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Facts, Section } from '../parts/page.tsx'
import { exactly, money } from '../parts/words.tsx'
import { openProviderPage, receiptAddress } from './leave.ts'
import { planInWords, termsInWords } from './plan-words.ts'

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
                  ['Plan', planInWords(plan)],
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

const plans = ['starter', 'pro'] as const

/** The free plan and those that are sold, each with its terms and its price on the button. */
function Offers({ accountId }: { accountId: string }) {
  const terms = useDeployment()?.plans
  if (terms === undefined) return null
  const sold = plans.filter((plan) => terms[plan].isSold)
  return (
    <>
      <p>
        You are on the free plan: {termsInWords(terms.free)}.
        {sold.length === 0 && ' This deployment sells no other plan.'}
      </p>
      {sold.length > 0 && (
        <ul className="offers">
          {sold.map((plan) => (
            <li key={plan}>
              <span>
                <strong>{planInWords(plan)}</strong>
                <br />
                <span className="quiet">{termsInWords(terms[plan])}</span>
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
  const body = { ...forAccountId(), plan, successUrl: receiptAddress(accountId, plan), cancelUrl: location.href }
  openProviderPage((await read(api.POST('/api/subscriptions/sessions', { body }))).url)
}
