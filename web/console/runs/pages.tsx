import { Button } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { KeyboardEvent, SyntheticEvent } from 'react'
import { runKinds } from '../../../domain/jobs/kinds.ts'
import { SelectField, TextField } from '../parts/form.tsx'
import { Page } from '../parts/page.tsx'
import type { RunFilters } from './filters.ts'
import { RunCounts } from './run-counts.tsx'
import { formatKind, RunList } from './run-list.tsx'

export { RunPage } from './run.tsx'

/** Page with all runs. The filters are part of the URL, so that a filtered list can be shared and bookmarked. */
export function RunsPage() {
  const filters: RunFilters = useSearch({ strict: false })
  const navigate = useNavigate()
  const setFilters = (change: RunFilters): void =>
    void navigate({ to: '/runs', search: { ...filters, ...change }, replace: true })
  const searchBy = (field: 'search' | 'tag') => {
    const setFilter = ({ currentTarget: { value } }: SyntheticEvent<HTMLInputElement>): void =>
      setFilters({ [field]: value.trim() || undefined })
    return {
      defaultValue: filters[field] ?? '',
      onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => event.key === 'Enter' && setFilter(event),
      onBlur: setFilter,
    }
  }
  return (
    <Page title="Runs" lead="All runs of agents and jobs, newest first.">
      <RunCounts filters={filters} onSelect={(status) => setFilters({ status })} />
      <div className="filters">
        <TextField label="Search" type="search" placeholder="Title or ID" {...searchBy('search')} />
        <SelectField
          label="Kind"
          value={filters.kind ?? ''}
          onChange={({ target }) => setFilters({ kind: target.value || undefined })}
          data={[
            { value: '', label: 'All kinds' },
            ...runKinds.map((kind) => ({ value: kind, label: formatKind(kind) })),
          ]}
        />
        <SelectField
          label="Time"
          value={filters.hours ?? ''}
          onChange={({ target }) =>
            setFilters({ hours: Number(target.value) || undefined, from: undefined, to: undefined })
          }
        >
          <option value="">Any time</option>
          <option value={1}>Last hour</option>
          <option value={24}>Last day</option>
          <option value={168}>Last week</option>
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
        <TextField label="Tag" placeholder="session:…" {...searchBy('tag')} />
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
    'No runs match these filters.'
  ) : (
    <>
      No runs yet. Every answer of an agent and every job is a run: <Link to="/chat">start a chat</Link>,{' '}
      <Link to="/tasks">schedule a task</Link> or <Link to="/scraping">scrape an artist</Link>.
    </>
  )
}
