import { Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { Schemas } from '../access/api.ts'
import { Rows, type List } from '../parts/loaded.tsx'
import { Table } from '../parts/table.tsx'
import { formatCredits, duration, RunStatus, formatRunStatus } from '../parts/words.tsx'
import { useRunQuery, type RunFilters } from './filters.ts'
import { useLiveRuns } from './live-runs.ts'

type ListedRun = Schemas['ListedRun']

const BulkActions = lazy(async () => ({ default: (await import('./bulk.tsx')).BulkActions }))

export function RunList({ filters, empty }: { filters: RunFilters; empty: ReactNode }) {
  const list = useLiveRuns(useRunQuery(filters))
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  return (
    <Rows list={list} empty={empty}>
      {(runs) => {
        const selected = runs.filter(({ id }) => ids.has(id))
        return (
          <>
            {selected.length > 0 && (
              <Suspense>
                <BulkActions selected={selected} onClear={() => setIds(new Set())} />
              </Suspense>
            )}
            <RunTable
              runs={runs}
              list={list}
              selected={ids}
              isAllSelected={selected.length === runs.length}
              onSelect={(targets, isSelected) => setIds(withIds(ids, targets, isSelected))}
            />
          </>
        )
      }}
    </Rows>
  )
}

function withIds(ids: ReadonlySet<string>, runs: readonly ListedRun[], isSelected: boolean): Set<string> {
  const next = new Set(ids)
  for (const { id } of runs) {
    if (isSelected) next.add(id)
    else next.delete(id)
  }
  return next
}

type TableProps = {
  list: List<ListedRun>
  runs: readonly ListedRun[]
  selected: ReadonlySet<string>
  isAllSelected: boolean
  onSelect: (runs: readonly ListedRun[], isSelected: boolean) => void
}

function RunTable({ runs, list, selected, isAllSelected, onSelect }: TableProps) {
  return (
    <Table
      caption="Runs"
      rows={runs}
      rowKey={({ id }) => id}
      list={list}
      tools="export"
      columns={[
        {
          name: 'Select',
          head: (
            <Checkbox
              size="xs"
              aria-label="Select all runs"
              checked={isAllSelected}
              onChange={({ currentTarget }) => onSelect(runs, currentTarget.checked)}
            />
          ),
          show: (run) => (
            <Checkbox
              size="xs"
              aria-label={`Select ${formatTitle(run)}`}
              checked={selected.has(run.id)}
              onChange={({ currentTarget }) => onSelect([run], currentTarget.checked)}
            />
          ),
        },
        {
          name: 'Run',
          show: (run) => <Link to={`/runs/${run.id}`}>{formatTitle(run)}</Link>,
          value: formatTitle,
        },
        {
          name: 'Kind',
          show: ({ kind }) => <span className="nowrap">{formatKind(kind)}</span>,
          value: ({ kind }) => formatKind(kind),
        },
        { name: 'Status', show: (run) => <RunStatus run={run} />, value: formatRunStatus },
        { name: 'Accepted', value: ({ createdAt }) => new Date(createdAt) },
        { name: 'Duration', value: ({ durationMs }) => durationMs, format: duration },
        { name: 'Credits', value: ({ credits }) => credits, format: formatCredits },
        { name: 'Run id', value: ({ id }) => id, isExportOnly: true },
      ]}
    />
  )
}

function formatTitle({ title, kind }: ListedRun): string {
  return title ?? formatKind(kind)
}

export function formatKind(kind: string): string {
  return kind.replaceAll('-', ' ')
}
