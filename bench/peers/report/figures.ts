import type { PeerFigures } from '../../../domain/site/figures.ts'
import { rows } from '../rows/rows.ts'
import type { Versions } from './section.ts'
import { toCell, formatWithUnit, type Column } from './summary.ts'

/** Returns the report as data for the home page of the site. */
export function listFigures(columns: Column[], versions: Versions, measuredOn: string): PeerFigures {
  return {
    measuredOn,
    rounds: Math.max(...columns.map(({ cells }) => cells.length)),
    peers: columns.map(({ peer: { name, setup } }) => ({ name, versions: versions[name] ?? '', setup })),
    rows: rows.map((row) => ({
      name: row.name,
      title: row.title,
      how: row.how,
      ...(row.better !== undefined && { better: row.better }),
      cells: columns.map((column) => {
        const { value, text } = toCell(column, row)
        if (value === undefined) return { text }
        const mark = column.peer.marks?.[row.name]
        return { value, text: [formatWithUnit(value, row.unit), mark].filter(Boolean).join(', ') }
      }),
    })),
  }
}
