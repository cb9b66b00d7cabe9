import { Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Rows } from '../parts/loaded.tsx'
import { Table } from '../parts/table.tsx'
import { creditsInWords, duration, RunStatus, Time } from '../parts/words.tsx'
import { useRunQuery, type RunFilters } from './filters.ts'
import { useLiveRuns, type ListedRun } from './live-runs.ts'

const BulkActions = lazy(async () => ({ default: (await import('./bulk.tsx')).BulkActions }))

export function RunList({ filters, empty }: { filters: RunFilters; empty: ReactNode }) {
  const list = useLiveRuns(useRunQuery(filters))
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  return (
    <Rows list={list} empty={empty}>
      {(runs) => {
        const chosen = runs.filter(({ id }) => ids.has(id))
        return (
          <>
            {chosen.length > 0 && (
              <Suspense>
                <BulkActions chosen={chosen} onClear={() => setIds(new Set())} />
              </Suspense>
            )}
            <RunTable
              runs={runs}
              chosen={ids}
              isAllChosen={chosen.length === runs.length}
              onChoose={(changed, isChosen) => setIds(withIds(ids, changed, isChosen))}
            />
          </>
        )
      }}
    </Rows>
  )
}

function withIds(ids: ReadonlySet<string>, runs: readonly ListedRun[], isChosen: boolean): Set<string> {
  const changed = new Set(ids)
  for (const { id } of runs) {
    if (isChosen) changed.add(id)
    else changed.delete(id)
  }
  return changed
}

type TableProps = {
  runs: readonly ListedRun[]
  chosen: ReadonlySet<string>
  isAllChosen: boolean
  onChoose: (runs: readonly ListedRun[], isChosen: boolean) => void
}

function RunTable({ runs, chosen, isAllChosen, onChoose }: TableProps) {
  return (
    <Table
      caption="Runs"
      rows={runs}
      rowKey={({ id }) => id}
      columns={[
        {
          name: 'Choose',
          head: (
            <Checkbox
              size="xs"
              aria-label="Choose all runs"
              checked={isAllChosen}
              onChange={({ currentTarget }) => onChoose(runs, currentTarget.checked)}
            />
          ),
          show: (run) => (
            <Checkbox
              size="xs"
              aria-label={`Choose ${titleOf(run)}`}
              checked={chosen.has(run.id)}
              onChange={({ currentTarget }) => onChoose([run], currentTarget.checked)}
            />
          ),
        },
        {
          name: 'Run',
          show: (run) => (
            <Link to="/runs/$runId" params={{ runId: run.id }}>
              {titleOf(run)}
            </Link>
          ),
        },
        { name: 'Kind', show: ({ kind }) => <span className="nowrap">{kindInWords(kind)}</span> },
        { name: 'Status', show: (run) => <RunStatus run={run} /> },
        { name: 'Accepted', show: ({ createdAt }) => <Time at={createdAt} /> },
        { name: 'Took', show: ({ durationMs }) => duration(durationMs), isNumber: true },
        { name: 'Credits', show: ({ credits }) => creditsInWords(credits), isNumber: true },
      ]}
    />
  )
}

function titleOf({ title, kind }: ListedRun): string {
  return title ?? kindInWords(kind)
}

export function kindInWords(kind: string): string {
  return kind.replaceAll('-', ' ')
}
