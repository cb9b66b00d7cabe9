import { Alert } from '@mantine/core'
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck'
import { useSearch } from '@tanstack/react-router'
import { useAccountId } from '../access/acting.ts'
import type { Data } from '../access/calls.ts'
import { useGet } from '../access/queries.ts'
import { LinkButton } from '../parts/buttons/link-button.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Facts, Page, Section } from '../parts/page.tsx'
import { formatCredits, formatDateTime, money, Status } from '../parts/words.tsx'
import { formatPeriodEnd, formatPlan, formatPrice } from './describe-plan.ts'

/** The receipt shows a credit purchase or a new plan. `account`: the account that paid, by default the current account. */
type Search = { payment?: string; plan?: string; account?: string }

const refetchMs = 2000
/** Maximum number of reads before the user must reload the page. Payment providers usually confirm within seconds. */
const maxReads = 60

/** Page to which a checkout redirects. Waits until the payment provider confirms the payment. */
export function ReceiptPage() {
  const { payment, plan, account }: Search = useSearch({ strict: false })
  const currentAccountId = useAccountId()
  const id = account ?? currentAccountId
  return (
    <Page title="Receipt" actions={<LinkButton to="/money">Billing</LinkButton>}>
      {plan === undefined ? <Purchase accountId={id} paymentId={payment} /> : <NewPlan accountId={id} plan={plan} />}
    </Page>
  )
}

const paymentsRoute = '/api/accounts/{id}/payments'

type PurchaseProps = { accountId: string; paymentId: string | undefined }

function Purchase({ accountId, paymentId }: PurchaseProps) {
  const find = ({ payments }: Data<'get', typeof paymentsRoute>) => payments.find(({ id }) => id === paymentId) ?? null
  const input = { path: { id: accountId }, query: { limit: 50 } }
  const query = useGet('payments', paymentsRoute, input, {
    select: find,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      isPending(data && find(data)) && dataUpdateCount < maxReads ? refetchMs : false,
  })
  return (
    <Loaded query={query}>
      {(payment) =>
        payment === null ? (
          <Alert color="yellow">This purchase is not among the latest purchases of the account.</Alert>
        ) : (
          <>
            <Outcome state={payment.state} product={`${formatCredits(payment.credits)} of credits`} />
            <Section title="Purchase">
              <Facts
                facts={[
                  ['Bought', `${formatCredits(payment.credits)} of credits`],
                  [
                    payment.state === 'paid' ? 'Paid' : 'Price',
                    `${money(payment.amount_cents / 100)}, with the card fee`,
                  ],
                  ['Status', <Status key="status" of={payment.state} />],
                  ['When', formatDateTime(payment.created_at)],
                  [
                    payment.state === 'paid' ? 'New balance' : 'Balance',
                    <Balance key={payment.state} accountId={accountId} />,
                  ],
                  ['Payment', <code key="id">{payment.id}</code>],
                ]}
              />
            </Section>
          </>
        )
      }
    </Loaded>
  )
}

function isPending(payment: { state: string } | null | undefined): boolean {
  return payment !== null && (payment === undefined || payment.state === 'created' || payment.state === 'pending')
}

function Outcome({ state, product }: { state: string; product: string }) {
  if (state === 'paid')
    return (
      <Alert color="green" role="status" icon={<IconCircleCheck aria-hidden />} title="Thank you">
        The payment is complete: {product} {product.endsWith('plan') ? 'is active' : 'are in the balance'}.
      </Alert>
    )
  if (state === 'created' || state === 'pending')
    return (
      <Alert color="blue" role="status" title="The payment is being confirmed">
        This usually takes a few seconds. This page shows the confirmation when it arrives; you can also leave the page.
      </Alert>
    )
  return (
    <Alert color="red" title="The payment failed">
      No credits were added to the balance. Try again under Billing, or contact the operator of this deployment.
    </Alert>
  )
}

function NewPlan({ accountId: id, plan }: { accountId: string; plan: string }) {
  const input = { path: { id } }
  const query = useGet('subscription', '/api/accounts/{id}/subscription', input, {
    refetchInterval: ({ state }) =>
      (state.data?.plan ?? null) === null && state.dataUpdateCount < maxReads ? refetchMs : false,
  })
  return (
    <Loaded query={query}>
      {({ plan: activePlan, ...terms }) => (
        <>
          <Outcome
            state={activePlan === null ? 'pending' : 'paid'}
            product={`The ${formatPlan(activePlan ?? plan)} plan`}
          />
          <Section title="Plan">
            <Facts
              facts={[
                ['Plan', formatPlan(activePlan ?? plan)],
                ['Price', formatPrice(terms)],
                ['Renews', formatPeriodEnd(terms)],
                [activePlan === null ? 'Balance' : 'New balance', <Balance key={activePlan} accountId={id} />],
              ]}
            />
          </Section>
        </>
      )}
    </Loaded>
  )
}

/** Balance of the account. A new `key` remounts and refetches it when the payment is confirmed. */
function Balance({ accountId: id }: { accountId: string }) {
  const { data } = useGet('credits', '/api/accounts/{id}/credits', { path: { id } }, { staleTime: 0 })
  return <>{data === undefined ? '…' : formatCredits(data.remaining_credits)}</>
}
