import { api } from '../access/api.ts'
import { refreshAfter, useGet } from '../access/queries.ts'
import { CheckField } from '../parts/check-field.tsx'
import { Form, TextField, type Fields } from '../parts/form.tsx'
import { LoadedSection } from '../parts/loaded.tsx'
import { Time } from '../parts/words.tsx'

const route = '/api/accounts/{id}/auto-top-up'

export function TopUp({ accountId: id }: { accountId: string }) {
  const path = { id }
  const save = (fields: Fields): Promise<unknown> => {
    const [amountCents, thresholdCents] = ['amount', 'threshold'].map((name) =>
      Math.round((fields.number(name) ?? 0) * 100),
    )
    const body = fields.isOn('enabled') ? { enabled: true, amountCents, thresholdCents } : { enabled: false }
    return refreshAfter(api.PUT(route, { path, body }), 'top-up')
  }
  return (
    <LoadedSection title="Automatic top-up" query={useGet('top-up', route, { path })}>
      {({ enabled, amountCents, thresholdCents, lastRunAt, lastError }) => (
        <>
          <Form key={String(enabled)} submit="Save" onSubmit={save}>
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
    </LoadedSection>
  )
}
