import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../access/api.ts'
import { read } from '../access/failure.ts'
import { CheckField } from '../parts/check-field.tsx'
import { Form, TextField } from '../parts/form.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Section } from '../parts/page.tsx'
import { Time } from '../parts/words.tsx'

export function TopUp({ accountId: id }: { accountId: string }) {
  const path = { id }
  const queries = useQueryClient()
  const query = useQuery({
    queryKey: ['top-up', id],
    queryFn: () => read(api.GET('/api/accounts/{id}/auto-top-up', { params: { path } })),
  })
  const save = async (enabled: boolean, amount = 0, threshold = 0): Promise<void> => {
    const body = enabled
      ? { enabled, amountCents: Math.round(amount * 100), thresholdCents: Math.round(threshold * 100) }
      : { enabled }
    await read(api.PUT('/api/accounts/{id}/auto-top-up', { params: { path }, body }))
    await queries.invalidateQueries({ queryKey: ['top-up'] })
  }
  return (
    <Section title="Automatic top-up">
      <Loaded query={query}>
        {({ enabled, amountCents, thresholdCents, lastRunAt, lastError }) => (
          <>
            <Form
              key={String(enabled)}
              submit="Save"
              onSubmit={(fields) => save(fields.isOn('enabled'), fields.number('amount'), fields.number('threshold'))}
            >
              <CheckField
                label="Buy credits automatically when the balance is low"
                name="enabled"
                defaultChecked={enabled}
              />
              <TextField
                name="threshold"
                label="When the balance falls below (US dollars)"
                type="number"
                min={1}
                defaultValue={(thresholdCents ?? 500) / 100}
              />
              <TextField
                name="amount"
                label="Amount to buy (US dollars)"
                type="number"
                min={1}
                defaultValue={(amountCents ?? 1000) / 100}
              />
            </Form>
            {lastRunAt !== null && (
              <p className="quiet">
                Last top-up <Time at={lastRunAt} />
              </p>
            )}
            {lastError !== null && <p className="inline-error">{lastError}</p>}
          </>
        )}
      </Loaded>
    </Section>
  )
}
