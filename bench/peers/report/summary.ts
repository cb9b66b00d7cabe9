import { median } from '../../measure.ts'
import type { Peer } from '../peer.ts'
import type { Cells, RowName, RowOf } from '../rows/rows.ts'

/** One cell of the table: the figures of a peer in all rounds. */
export type Cell = {
  /** Median of the rounds. Undefined for a row of texts, and without a figure. */
  value?: number
  text: string
}

export type Column = { peer: Peer; cells: Cells[] }

export function cellOf({ peer, cells }: Column, { name, unit, better }: RowOf): Cell {
  const seen = cells.flatMap((each) => each[name] ?? [])
  const figures = seen.filter((each) => typeof each === 'number' && Number.isFinite(each)) as number[]
  if (better === undefined) return { text: [...new Set(seen)].join('; ') || 'not measured' }
  if (figures.length === 0) return { text: describeMissing(cells, name) }
  const mark = peer.marks?.[name]
  const spread = `${digits(Math.min(...figures))} .. ${digits(Math.max(...figures))}`
  const text = [withUnit(median(figures), unit), figures.length > 1 && `(${spread})`, mark]
  return { value: median(figures), text: text.filter(Boolean).join(', ').replace(', (', ' (') }
}

export function withUnit(value: number, unit: string): string {
  return unit === 'x' ? `${digits(value)}x` : `${digits(value)} ${unit}`
}

/** Returns the text for a row without a figure. For a turn that did not continue, it is the text of the related row. */
function describeMissing(cells: Cells[], name: RowName): string {
  const source = name === 'recovery' ? 'afterKill' : name === 'resume' ? 'afterResume' : name
  const seen = cells.flatMap((each) => each[source] ?? []).filter((each) => typeof each === 'string')
  return [...new Set(seen)].join('; ') || 'not measured'
}

function digits(value: number): string {
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))
}
