import { Button } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { runKinds } from '../../../domain/jobs/kinds.ts'
import { SelectField, TextField } from '../parts/form.tsx'
import { Page } from '../parts/page.tsx'
import type { RunFilters } from './filters.ts'
import { RunCounts } from './run-counts.tsx'
import { formatKind, RunList } from './run-list.tsx'

export { RunPage } from './run.tsx'

const timeRanges = [
  [1, 'Last hour'],
  [24, 'Last day'],
  [168, 'Last week'],
] as const

/** Page with all runs. The filters are part of the URL, so that a filtered list can be shared and bookmarked. */
export function RunsPage() {
  const filters: RunFilters = useSearch({ strict: false })
  const navigate = useNavigate()
  const setFilters = (change: Record<string, string | number | undefined>): void =>
    void navigate({ to: '/runs', search: { ...filters, ...change }, replace: true })
  return (
    <Page title="Runs" lead="All runs of agents and jobs, newest first.">
      <RunCounts filters={filters} onSelect={(status) => setFilters({ status })} />
      <div className="filters">
        <TextField
          label="Search"
          type="search"
          placeholder="Title or ID"
          defaultValue={filters.search ?? ''}
          onKeyDown={(event) =>
            event.key === 'Enter' && setFilters({ search: event.currentTarget.value.trim() || undefined })
          }
          onBlur={({ currentTarget }) => setFilters({ search: currentTarget.value.trim() || undefined })}
        />
        <SelectField
          label="Kind"
          value={filters.kind ?? ''}
          onChange={({ target }) => setFilters({ kind: target.value || undefined })}
        >
          <option value="">All kinds</option>
          {runKinds.map((kind) => (
            <option key={kind} value={kind}>
              {formatKind(kind)}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Time"
          value={filters.hours ?? ''}
          onChange={({ target }) =>
            setFilters({
              hours: target.value === '' ? undefined : Number(target.value),
              from: undefined,
              to: undefined,
            })
          }
        >
          <option value="">Any time</option>
          {timeRanges.map(([hours, label]) => (
            <option key={hours} value={hours}>
              {label}
            </option>
          ))}
        </SelectField>
        <TextField
          label="From"
          type="date"
          value={filters.from ?? ''}
          onChange={({ target }) => setFilters({ from: target.value || undefined, hours: undefined })}
        />
        <TextField
          label="To"
          type="date"
          value={filters.to ?? ''}
          onChange={({ target }) => setFilters({ to: target.value || undefined })}
        />
        <TextField
          label="Tag"
          placeholder="session:…"
          defaultValue={filters.tag ?? ''}
          onKeyDown={(event) =>
            event.key === 'Enter' && setFilters({ tag: event.currentTarget.value.trim() || undefined })
          }
          onBlur={({ currentTarget }) => setFilters({ tag: currentTarget.value.trim() || undefined })}
        />
        {filters.task !== undefined && (
          <Button size="xs" variant="default" onClick={() => setFilters({ task: undefined })}>
            Runs of one task ✕
          </Button>
        )}
      </div>
      <RunList filters={filters} empty={<NoRuns isFiltered={Object.keys(filters).length > 0} />} />
    </Page>
  )
}

function NoRuns({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <p>No runs match these filters.</p>
  ) : (
    <p>
      No runs yet. Every answer of an agent and every job is a run: <Link to="/chat">start a chat</Link>,{' '}
      <Link to="/tasks">schedule a task</Link> or <Link to="/scraping">scrape an artist</Link>.
    </p>
  )
}
