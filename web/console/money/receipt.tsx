import { Alert, Button } from '@mantine/core'
import IconCircleCheck from '@tabler/icons-react/icons/IconCircleCheck'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useAccountId } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Facts, Page, Section } from '../parts/page.tsx'
import { creditsInWords, exactly, money, Status } from '../parts/words.tsx'
import { readPurchases } from './purchases.tsx'
import { planInWords } from './plan-words.ts'

/** What a receipt shows: a purchase of credits, or a plan. `account`: the account that paid, if not the signed-in one. */
type Search = { payment?: string; plan?: string; account?: string }

const refetchMs = 2000
/** The payment provider usually confirms within seconds. After this many reads, the page must be reloaded. */
const maxReads = 60

/** Page to which a checkout returns. It waits for the confirmation of the payment provider. */
export function ReceiptPage() {
  const { payment, plan, account }: Search = useSearch({ strict: false })
  const shown = useAccountId()
  const id = account ?? shown
  return (
    <Page
      title="Receipt"
      actions={
        <Button component={Link} to="/money" variant="default" size="xs">
          Money
        </Button>
      }
    >
      {plan === undefined ? <Purchase accountId={id} paymentId={payment} /> : <NewPlan accountId={id} plan={plan} />}
    </Page>
  )
}

type PurchaseProps = { accountId: string; paymentId: string | undefined }

function Purchase({ accountId, paymentId }: PurchaseProps) {
  const query = useQuery({
    queryKey: ['payments', accountId, 'receipt', paymentId],
    queryFn: async () => {
      const { payments } = await readPurchases(accountId)
      return payments.find(({ id }) => id === paymentId) ?? null
    },
    refetchInterval: ({ state }) => (isPending(state.data) && state.dataUpdateCount < maxReads ? refetchMs : false),
  })
  return (
    <Loaded query={query}>
      {(payment) =>
        payment === null ? (
          <Alert color="yellow">This purchase is not among the last purchases of the account.</Alert>
        ) : (
          <>
            <Outcome state={payment.state} what={`${creditsInWords(payment.credits)} of credits`} />
            <Section title="Purchase">
              <Facts
                facts={[
                  ['Bought', `${creditsInWords(payment.credits)} of credits`],
                  [
                    payment.state === 'paid' ? 'Paid' : 'Price',
                    `${money(payment.amount_cents / 100)}, with the card fee`,
                  ],
                  ['State', <Status key="state" of={payment.state} />],
                  ['When', exactly(payment.created_at)],
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

function Outcome({ state, what }: { state: string; what: string }) {
  if (state === 'paid')
    return (
      <Alert color="green" role="status" icon={<IconCircleCheck aria-hidden />} title="Thank you">
        The payment is complete: {what} {what.endsWith('plan') ? 'is active' : 'are in the balance'}.
      </Alert>
    )
  if (state === 'created' || state === 'pending')
    return (
      <Alert color="blue" role="status" title="The payment is being confirmed">
        This usually takes some seconds. The page shows the confirmation when it arrives; you may also leave it.
      </Alert>
    )
  return (
    <Alert color="red" title="The payment failed">
      Nothing was charged to the balance. Try again on the page Money, or contact the operator of this deployment.
    </Alert>
  )
}

function NewPlan({ accountId: id, plan }: { accountId: string; plan: string }) {
  const query = useQuery({
    queryKey: ['subscription', id, 'receipt'],
    queryFn: () => read(api.GET('/api/accounts/{id}/subscription', { params: { path: { id } } })),
    refetchInterval: ({ state }) =>
      (state.data?.plan ?? null) === null && state.dataUpdateCount < maxReads ? refetchMs : false,
  })
  return (
    <Loaded query={query}>
      {({ plan: active, amountCents, interval, currentPeriodEnd }) => (
        <>
          <Outcome state={active === null ? 'pending' : 'paid'} what={`The ${planInWords(active ?? plan)} plan`} />
          <Section title="Plan">
            <Facts
              facts={[
                ['Plan', planInWords(active ?? plan)],
                ['Price', amountCents === null ? '–' : `${money(amountCents / 100)} a ${interval ?? 'period'}`],
                ['Renews', currentPeriodEnd === null ? '–' : exactly(currentPeriodEnd)],
                [active === null ? 'Balance' : 'New balance', <Balance key={active} accountId={id} />],
              ]}
            />
          </Section>
        </>
      )}
    </Loaded>
  )
}

/** Balance of the account. It is mounted again when the payment is confirmed, and then read again. */
function Balance({ accountId: id }: { accountId: string }) {
  const query = useQuery({
    queryKey: ['credits', id],
    queryFn: () => read(api.GET('/api/accounts/{id}/credits', { params: { path: { id } } })),
    staleTime: 0,
  })
  return <>{query.data === undefined ? '…' : creditsInWords(query.data.remaining_credits)}</>
}
