import { useQuery } from '@tanstack/react-query'
import { useAccountId } from '../access/acting.ts'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Figures, Page, Section } from '../parts/page.tsx'
import { creditsInWords, Time } from '../parts/words.tsx'
import { BuyCredits } from './buy-credits.tsx'
import { Card } from './card.tsx'
import { Entries } from './entries.tsx'
import { Plan } from './plan.tsx'
import { planInWords } from './plan-words.ts'
import { Purchases } from './purchases.tsx'
import { Storage } from './storage.tsx'
import { TopUp } from './top-up.tsx'
import { UsageSection } from './usage.tsx'

export function MoneyPage() {
  const id = useAccountId()
  const credits = useQuery({
    queryKey: ['credits', id],
    queryFn: () => read(api.GET('/api/accounts/{id}/credits', { params: { path: { id } } })),
    refetchInterval: 10_000,
  })
  return (
    <Page title="Money" lead="A credit is a millionth of a US dollar. Work is charged to the balance when it is done.">
      <Loaded query={credits}>
        {({ remaining_credits: left, reserved_credits: held, used_credits: used, plan, timestamp }) => (
          <>
            <Figures
              figures={[
                ['Balance', creditsInWords(left)],
                ['Held for running work', creditsInWords(held)],
                ['Used of the plan', creditsInWords(used)],
                ['Plan', planInWords(plan)],
              ]}
            />
            {timestamp !== null && (
              <p className="quiet">
                Of this period, which began <Time at={timestamp} />.
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
        <Storage accountId={id} />
      </div>
      <Purchases accountId={id} />
      <Entries accountId={id} />
    </Page>
  )
}
