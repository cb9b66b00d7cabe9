import type { Round } from './round.ts'
import type { RunRow } from '../records/records.ts'

type Row = {
  faults: number
  observed: number
  accepted: number
  completed: number
  failed: number
  cancelled: number
  violations: number
  recoveries: number[]
}

const createEmptyRow = (): Row => ({
  faults: 0,
  observed: 0,
  accepted: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  violations: 0,
  recoveries: [],
})

/** Returns the nearest-rank percentile, or undefined for an empty list. */
export const percentile = (values: number[], share: number): number | undefined =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)]

/** Formats a table. The first column is aligned to the left, the other columns to the right. */
export const alignTable = (rows: string[][]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows
    .map((row) =>
      row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))),
    )
    .map((row) => row.join('  '))
    .join('\n')
}

const addRuns = (row: Row, runs: RunRow[]): void => {
  row.accepted += runs.length
  for (const { status } of runs)
    if (status === 'completed' || status === 'failed' || status === 'cancelled') row[status]++
}

const formatSeconds = (ms: number | undefined): string => (ms === undefined ? '-' : `${(ms / 1000).toFixed(2)} s`)

/** Formats the number of times and their 50th and 95th percentiles. */
export const formatRecoveries = (name: string, times: number[], unit = 'kills'): string =>
  `${name}: ${times.length} ${unit}, p50 ${formatSeconds(percentile(times, 0.5))}, p95 ${formatSeconds(percentile(times, 0.95))}`

/** Sums the results of rounds, in total and by kind of fault. A fault affects the runs that were active during it. */
export const createSummary = () => {
  const kinds = new Map<string, Row>()
  const all = createEmptyRow()
  const withSurvivor: number[] = []
  const withoutSurvivor: number[] = []
  const getRow = (kind: string): Row => {
    const row = kinds.get(kind) ?? createEmptyRow()
    kinds.set(kind, row)
    return row
  }

  const add = ({ records, injections, violations, recoveries }: Round): void => {
    const { runs } = records.store
    addRuns(all, runs)
    all.violations += violations.length
    for (const kind of new Set(injections.map(({ fault }) => fault.kind))) {
      const faults = injections.map(({ fault }) => fault).filter((fault) => fault.kind === kind)
      const row = getRow(kind)
      const affected = runs.filter(({ createdAt, endedAt }) =>
        faults.some(({ at, until }) => createdAt <= (until ?? records.endedAt) && (endedAt ?? Infinity) >= at),
      )
      addRuns(row, affected)
      row.faults += faults.length
      row.observed += faults.filter(({ observed }) => observed).length
      row.violations += violations.filter(({ subject, text }) =>
        affected.some(({ id }) => subject.includes(id) || text.includes(id)),
      ).length
      all.faults += faults.length
      all.observed += faults.filter(({ observed }) => observed).length
    }
    for (const { kind, ms, survivors } of recoveries) {
      ;(survivors > 0 ? withSurvivor : withoutSurvivor).push(ms)
      getRow(kind).recoveries.push(ms)
      all.recoveries.push(ms)
    }
  }

  const formatRow = (name: string, row: Row): string[] => [
    name,
    ...[row.faults, row.observed, row.accepted, row.completed, row.failed, row.cancelled, row.violations].map(String),
    formatSeconds(percentile(row.recoveries, 0.5)),
    formatSeconds(percentile(row.recoveries, 0.95)),
  ]

  const formatTable = (): string =>
    alignTable([
      [
        'fault',
        'injected',
        'observed',
        'affected runs',
        'completed',
        'failed',
        'cancelled',
        'violations',
        'recovery p50',
        'p95',
      ],
      ...[...kinds].sort(([a], [b]) => a.localeCompare(b)).map(([kind, row]) => formatRow(kind, row)),
      formatRow('all runs, each once', all),
    ])
  const formatAllRecoveries = (): string =>
    [
      'Time from the kill of a worker until a client received the next frame of one of its runs',
      formatRecoveries('  with another worker alive', withSurvivor),
      formatRecoveries('  without another worker', withoutSurvivor),
    ].join('\n')

  return { add, table: formatTable, recoveries: formatAllRecoveries, totals: all }
}
