import { useAccountId } from '../access/acting.ts'
import { useGet } from '../access/queries.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Figures, Page, Section } from '../parts/page.tsx'
import { formatCredits, Time } from '../parts/words.tsx'
import { BalanceParts } from './balance-parts.tsx'
import { BuyCredits } from './buy-credits.tsx'
import { Card } from './card.tsx'
import { Entries } from './entries.tsx'
import { Plan } from './plan.tsx'
import { formatPlan } from './describe-plan.ts'
import { Purchases } from './purchases.tsx'
import { MediaStorage } from './storage.tsx'
import { TopUp } from './top-up.tsx'
import { UsageSection } from './usage.tsx'

export function MoneyPage() {
  const id = useAccountId()
  const credits = useGet('credits', '/api/accounts/{id}/credits', { path: { id } }, { refetchInterval: 10_000 })
  return (
    <Page
      title="Billing"
      lead="One credit is a millionth of a US dollar. Work is charged to the balance when it completes."
    >
      <Loaded query={credits}>
        {({ remaining_credits: remaining, reserved_credits: reserved, used_credits: used, plan, timestamp }) => (
          <>
            <Figures
              figures={[
                ['Balance', formatCredits(remaining)],
                ['Held for running work', formatCredits(reserved)],
                ['Used in this period', formatCredits(used)],
                ['Plan', formatPlan(plan)],
              ]}
            />
            <BalanceParts accountId={id} />
            {timestamp !== null && (
              <p className="quiet">
                This period began <Time at={timestamp} />.
              </p>
            )}
          </>
        )}
      </Loaded>
      <UsageSection accountId={id} />
      <div className="two">
        <Section title="Buy credits">
          <BuyCredits accountId={id} />
        </Section>
        <Plan accountId={id} />
        <Card accountId={id} />
        <TopUp accountId={id} />
        <MediaStorage accountId={id} />
      </div>
      <Purchases accountId={id} />
      <Entries accountId={id} />
    </Page>
  )
}
