import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { runKinds } from '../../../domain/jobs/kinds.ts'
import { SelectField, TextField } from '../parts/form.tsx'
import { Page } from '../parts/page.tsx'
import { kindInWords, RunList, waitingStatus, type RunFilters } from './run-list.tsx'

export { RunPage } from './run.tsx'

const statuses = ['queued', 'running', 'retrying', 'completed', 'failed', 'cancelled']
const spans = [
  [1, 'Last hour'],
  [24, 'Last day'],
  [168, 'Last week'],
] as const

/** Page with all runs. The filters are part of the address, so that a filtered list can be shared and bookmarked. */
export function RunsPage() {
  const filters: RunFilters = useSearch({ strict: false })
  const navigate = useNavigate()
  const set = (change: Record<string, string | number | undefined>): void =>
    void navigate({ to: '/runs', search: { ...filters, ...change }, replace: true })
  return (
    <Page title="Runs" lead="All runs of agents and jobs, newest first.">
      <div className="filters">
        <TextField
          label="Search"
          type="search"
          placeholder="Title or id"
          defaultValue={filters.search ?? ''}
          onKeyDown={(event) => event.key === 'Enter' && set({ search: event.currentTarget.value.trim() || undefined })}
          onBlur={({ currentTarget }) => set({ search: currentTarget.value.trim() || undefined })}
        />
        <SelectField
          label="Kind"
          value={filters.kind ?? ''}
          onChange={({ target }) => set({ kind: target.value || undefined })}
        >
          <option value="">Every kind</option>
          {runKinds.map((kind) => (
            <option key={kind} value={kind}>
              {kindInWords(kind)}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Status"
          value={filters.status ?? ''}
          onChange={({ target }) => set({ status: target.value || undefined })}
        >
          <option value="">Every status</option>
          <option value={waitingStatus}>waiting for you</option>
          {statuses.map((status) => (
            <option key={status}>{status}</option>
          ))}
        </SelectField>
        <SelectField
          label="Time"
          value={filters.hours ?? ''}
          onChange={({ target }) =>
            set({ hours: target.value === '' ? undefined : Number(target.value), from: undefined, to: undefined })
          }
        >
          <option value="">Any time</option>
          {spans.map(([hours, words]) => (
            <option key={hours} value={hours}>
              {words}
            </option>
          ))}
        </SelectField>
        <TextField
          label="From"
          type="date"
          value={filters.from ?? ''}
          onChange={({ target }) => set({ from: target.value || undefined, hours: undefined })}
        />
        <TextField
          label="To"
          type="date"
          value={filters.to ?? ''}
          onChange={({ target }) => set({ to: target.value || undefined })}
        />
        <TextField
          label="Tag"
          placeholder="session:…"
          defaultValue={filters.tag ?? ''}
          onKeyDown={(event) => event.key === 'Enter' && set({ tag: event.currentTarget.value.trim() || undefined })}
          onBlur={({ currentTarget }) => set({ tag: currentTarget.value.trim() || undefined })}
        />
        {filters.task !== undefined && (
          <Button size="xs" variant="default" onClick={() => set({ task: undefined })}>
            Runs of one task ✕
          </Button>
        )}
      </div>
      <RunList filters={filters} />
    </Page>
  )
}
