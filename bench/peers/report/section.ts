import { rows, type RowOf } from '../rows/rows.ts'
import { cellOf, type Column } from './summary.ts'

export type Versions = Record<string, string>

/** The part of the report that is about the peers; ours is the first column. */
export function describePeers(columns: Column[], versions: Versions, machine: string): string {
  const rounds = Math.max(...columns.map(({ cells }) => cells.length))
  return [
    'Written by `npm run bench:peers`, which installs the packages of `bench/peers` and needs `redis-server`. The same chat',
    'turn, built with each as its own guide shows it, behind the same fake model and the same client on the same machine;',
    `${rounds} ${rounds === 1 ? 'round' : 'rounds'}, each peer started anew and alone, in turn. A figure is the median, the spread that of the rounds.`,
    '',
    `Measured on: ${machine}`,
    '',
    '![The peers beside each other, a panel for each row](peers.svg)',
    '',
    ...tableOf(['', ...columns.map(({ peer }) => peer.name)], columns),
    '',
    '### What they are, and what they do not keep',
    '',
    ...columns.map(
      ({ peer }) =>
        `- **${peer.name}** (${versions[peer.name] ?? ''}): ${peer.setup}. Not persisted: ${peer.notPersisted}.`,
    ),
    '',
    '### Where another is ahead, and why',
    '',
    ...listLeads(columns),
    '',
    '### How each row is measured',
    '',
    ...new Set(rows.map(({ title, group = title, how }) => `- **${group}**: ${how}`)),
    '',
  ].join('\n')
}

/** Where another has the better figure, by its reasons; not where the figure does not mean the same. */
function listLeads([ours, ...others]: Column[]): string[] {
  if (ours === undefined) return []
  return others.flatMap((column) => {
    const { peer } = column
    const leads = rows.filter(
      (row) => peer.marks?.[row.name] === undefined && isAhead(cellOf(column, row).value, cellOf(ours, row).value, row),
    )
    const reasonOf = ({ reason }: RowOf): string | undefined =>
      reason === undefined ? undefined : peer.ahead?.[reason]
    const reasons = [...new Set(leads.map(reasonOf))].map((reason) => {
      const titles = leads.filter((row) => reasonOf(row) === reason).map(({ title }) => title)
      return reason === undefined ? titles.join(', ') : `${titles.join(', ')} (${reason})`
    })
    return reasons.length === 0 ? [] : [`- **${peer.name}**: ${reasons.join('; ')}`]
  })
}

/** By more than rounds differ anyway. */
function isAhead(value: number | undefined, own: number | undefined, { better }: RowOf): boolean {
  if (value === undefined) return false
  return own === undefined || (better === 'more' ? value > own * 1.05 : value < own * 0.95)
}

function tableOf(head: string[], columns: Column[]): string[] {
  const lines = [head, ...rows.map((row) => [row.title, ...columns.map((column) => cellOf(column, row).text)])]
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? '').length)))
  const layOut = (cells: string[], fill: string): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width, fill)).join(' | ')} |`
  const [first = [], ...rest] = lines
  return [layOut(first, ' '), layOut([], '-'), ...rest.map((cells) => layOut(cells, ' '))]
}
