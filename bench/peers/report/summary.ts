import { median } from '../../measure.ts'
import type { Peer } from '../peer.ts'
import type { Cells, RowName, RowDefinition } from '../rows/rows.ts'

/** One cell of the table: the figures of a peer in all rounds. */
export type Cell = {
  /** Median of the rounds. Undefined for a row of texts, or if no round has a figure. */
  value?: number
  text: string
}

export type Column = { peer: Peer; cells: Cells[] }

export function toCell({ peer, cells }: Column, { name, unit, better }: RowDefinition): Cell {
  const values = cells.flatMap((cell) => cell[name] ?? [])
  const figures = values.filter((value) => typeof value === 'number' && Number.isFinite(value)) as number[]
  if (better === undefined) return { text: [...new Set(values)].join('; ') || 'not measured' }
  if (figures.length === 0) return { text: describeMissing(cells, name) }
  const mark = peer.marks?.[name]
  const spread = `${formatNumber(Math.min(...figures))} .. ${formatNumber(Math.max(...figures))}`
  const text = [formatWithUnit(median(figures), unit), figures.length > 1 && `(${spread})`, mark]
  return { value: median(figures), text: text.filter(Boolean).join(', ').replace(', (', ' (') }
}

export function formatWithUnit(value: number, unit: string): string {
  return unit === 'x' ? `${formatNumber(value)}x` : `${formatNumber(value)} ${unit}`
}

/** Returns the text of a cell without a figure. `recovery` and `resume` use the text about the client's state. */
function describeMissing(cells: Cells[], name: RowName): string {
  const source = name === 'recovery' ? 'afterKill' : name === 'resume' ? 'afterResume' : name
  const texts = cells.flatMap((cell) => cell[source] ?? []).filter((value) => typeof value === 'string')
  return [...new Set(texts)].join('; ') || 'not measured'
}

function formatNumber(value: number): string {
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))
}
