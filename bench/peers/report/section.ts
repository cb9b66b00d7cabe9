import { rows, type RowDefinition } from '../rows/rows.ts'
import { toCell, type Column } from './summary.ts'

export type Versions = Record<string, string>

/** Returns the section of the report about the peers. The first column is Backline. */
export function describePeers(columns: Column[], versions: Versions, machine: string): string {
  const rounds = Math.max(...columns.map(({ cells }) => cells.length))
  return [
    '`npm run bench:peers` writes this section. It installs the packages of `bench/peers` and needs `redis-server`. The same',
    'chat turn is built with each peer as in its own guide, with the same fake model and client on one machine. In each of',
    `${rounds} ${rounds === 1 ? 'round' : 'rounds'}, the peers are started one after the other, each alone. A figure is the median, with the spread across the rounds.`,
    '',
    `Measured on: ${machine}`,
    '',
    '![Comparison of the peers, one panel per row](peers.svg)',
    '',
    ...renderTable(['', ...columns.map(({ peer }) => peer.name)], columns),
    '',
    '### Setup of each peer and data that it does not persist',
    '',
    ...columns.map(
      ({ peer }) =>
        `- **${peer.name}** (${versions[peer.name] ?? ''}): ${peer.setup}. Not persisted: ${peer.notPersisted}.`,
    ),
    '',
    '### Where a peer is ahead of Backline, and why',
    '',
    ...listLeads(columns),
    '',
    '### How each row is measured',
    '',
    ...new Set(rows.map(({ title, group = title, how }) => `- **${group}**: ${how}`)),
    '',
  ].join('\n')
}

/** Lists the rows in which a peer has a better figure, with its reasons. Figures with a different meaning are excluded. */
function listLeads([ours, ...others]: Column[]): string[] {
  if (ours === undefined) return []
  return others.flatMap((column) => {
    const { peer } = column
    const leads = rows.filter(
      (row) => peer.marks?.[row.name] === undefined && isAhead(toCell(column, row).value, toCell(ours, row).value, row),
    )
    const findReason = ({ reason }: RowDefinition): string | undefined =>
      reason === undefined ? undefined : peer.ahead?.[reason]
    const reasons = [...new Set(leads.map(findReason))].map((reason) => {
      const titles = leads.filter((row) => findReason(row) === reason).map(({ title }) => title)
      return reason === undefined ? titles.join(', ') : `${titles.join(', ')} (${reason})`
    })
    return reasons.length === 0 ? [] : [`- **${peer.name}**: ${reasons.join('; ')}`]
  })
}

/** Returns whether a figure is better by more than the usual spread of 5%. */
function isAhead(value: number | undefined, ours: number | undefined, { better }: RowDefinition): boolean {
  if (value === undefined) return false
  return ours === undefined || (better === 'more' ? value > ours * 1.05 : value < ours * 0.95)
}

function renderTable(header: string[], columns: Column[]): string[] {
  const lines = [header, ...rows.map((row) => [row.title, ...columns.map((column) => toCell(column, row).text)])]
  const widths = header.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? '').length)))
  const renderLine = (cells: string[], fill: string): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width, fill)).join(' | ')} |`
  const [first = [], ...rest] = lines
  return [renderLine(first, ' '), renderLine([], '-'), ...rest.map((cells) => renderLine(cells, ' '))]
}
