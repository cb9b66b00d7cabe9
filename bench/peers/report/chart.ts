import { rows, type RowName, type RowDefinition } from '../rows/rows.ts'
import { toCell, formatWithUnit, type Column } from './summary.ts'

/** Rows of the chart, in reading order. */
const chartRows: RowName[] = [
  'firstToken',
  'delay20p50',
  'delay100p99',
  'capacity',
  'cost20',
  'recovery',
  'step',
  'memory',
]

const width = 960
const panelWidth = 460
const barHeight = 18
const gap = 6
const nameWidth = 125
const barWidth = 185
const ink = '#1f2328'

/** Draws one panel of bars per row, each with its own scale. The dark bar is Backline. */
export function drawChart(columns: Column[]): string {
  const panels = chartRows.flatMap((name) => rows.filter((row) => row.name === name))
  const panelHeight = 46 + columns.length * (barHeight + gap) + 18
  const height = 64 + Math.ceil(panels.length / 2) * panelHeight
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Helvetica, Arial, sans-serif" font-size="13" fill="${ink}">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text(20, 34, 'The same chat turn, built with each peer, on one machine', 'font-size="18" font-weight="bold"'),
    ...panels.flatMap((row, index) =>
      drawPanel(row, columns, 20 + (index % 2) * panelWidth, 64 + Math.floor(index / 2) * panelHeight),
    ),
    '</svg>',
    '',
  ].join('\n')
}

function drawPanel(row: RowDefinition, columns: Column[], x: number, y: number): string[] {
  const cells = columns.map((column) => ({ column, cell: toCell(column, row) }))
  const maxValue = Math.max(...cells.map(({ cell }) => cell.value ?? 0), Number.MIN_VALUE)
  return [
    text(x, y + 16, row.title, 'font-weight="bold"'),
    text(x, y + 33, `${row.better} is better`, 'font-size="11" fill="#59636e"'),
    ...cells.flatMap(({ column: { peer }, cell }, index) => {
      const top = y + 44 + index * (barHeight + gap)
      const length = Math.max(1, ((cell.value ?? 0) / maxValue) * barWidth)
      const mark = peer.marks?.[row.name]
      const figure = cell.value === undefined ? cell.text : formatWithUnit(cell.value, row.unit)
      const label = mark === undefined ? figure : `${figure}, ${mark}`
      const bar = `<rect x="${x + nameWidth}" y="${top}" width="${length.toFixed(1)}" height="${barHeight}" fill="${index === 0 ? '#0550ae' : '#afb8c1'}"/>`
      return [
        text(x, top + 13, peer.name, index === 0 ? 'font-weight="bold"' : ''),
        ...(cell.value === undefined ? [] : [bar]),
        text(x + nameWidth + (cell.value === undefined ? 0 : length + 6), top + 13, label, ''),
      ]
    }),
  ]
}

function text(x: number, y: number, content: string, attributes: string): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<text x="${x.toFixed(1)}" y="${y}" ${attributes}>${escaped}</text>`
}
