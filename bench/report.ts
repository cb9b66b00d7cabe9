import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Pool } from '../db/postgres/client.ts'
import type { Print } from '../dev/say.ts'
import { cliVersion } from '../dev/stack/temporal/cli.ts'
import type { PeerFigures } from '../domain/site/figures.ts'
import { meetsAim, type Row } from './measure.ts'

const path = fileURLToPath(new URL('../docs/change/bench.md', import.meta.url))
const chartPath = fileURLToPath(new URL('../docs/change/peers.svg', import.meta.url))
const figuresPath = fileURLToPath(new URL('../content/figures/peers.json', import.meta.url))
/** `npm run bench:peers` writes the rest of the report, starting with this heading. */
const peersHeading = '## Comparison with other engines\n'

export type BenchRows = { bench: string; rows: Row[] }

const header = ['bench', 'what', 'figure', 'spread', 'aim', 'met', 'both sides']

/** Prints the table of one benchmark to the terminal. */
export function printRows(bench: string, rows: Row[], say: Print): void {
  for (const line of formatLines([header, ...rows.map((row) => toCells(bench, row))])) say(line)
}

/** Describes the machine and the versions on which the figures depend. */
export async function describeMachine(db: Pool): Promise<string> {
  const [postgres] = await db<{ version: string }[]>`select current_setting('server_version') as version`
  return `${describeHardware()}, Postgres ${postgres?.version ?? ''}, Temporal CLI ${cliVersion}`
}

/** Describes the machine and its Node version. */
export function describeHardware(): string {
  const [processor] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  return [
    `${cpus().length} cores (${processor?.model.trim() ?? 'unknown'}), ${memory} GiB, ${process.platform} ${process.arch}`,
    `Node ${process.versions.node}`,
  ].join('; ')
}

/** One row of the report, and the machine on which it was measured. */
type Line = { machine: string; cells: string[] }
type Report = { lines: Line[]; methods: { bench: string; line: string }[]; peers: string }

const machinePrefix = 'Machine: '
const methodPattern = /^- \*\*([^:*]+): [^*]+\*\*: /

/** Writes the rows to docs/change/bench.md. Keeps the rows of other benchmarks, each in the table of its machine. */
export async function writeReport(results: BenchRows[], order: string[], machine: string): Promise<void> {
  const previous = await readReport()
  const measured = new Set(results.map(({ bench }) => bench))
  const isKept = (bench: string): boolean => !measured.has(bench) && order.includes(bench)
  const lines = [
    ...previous.lines.filter(({ cells: [bench = ''] }) => isKept(bench)),
    ...results.flatMap(({ bench, rows }) => rows.map((row) => ({ machine, cells: toCells(bench, row) }))),
  ]
  const methods = [
    ...previous.methods.filter(({ bench }) => isKept(bench)),
    ...results.flatMap(({ bench, rows }) =>
      rows.map((row) => ({ bench, line: `- **${bench}: ${row.name}**: ${row.how}` })),
    ),
  ]
  const rank = (bench: string): number => order.indexOf(bench)
  lines.sort(({ cells: [a = ''] }, { cells: [b = ''] }) => rank(a) - rank(b))
  methods.sort((a, b) => rank(a.bench) - rank(b.bench))
  const machines = new Set([machine, ...lines.map((line) => line.machine)])
  const text = [
    '# Benchmarks',
    '',
    '`npm run bench` writes this page. `npm run bench -- <names>` measures and updates only these benchmarks; `--quick` only',
    'prints. Each figure has a control in the same run: both sides are measured alternately, round by round. A ratio is the',
    'ratio of the medians, and the spread is across the rounds. All processes (Postgres, Temporal, the worker, the API, the',
    'fake model and the clients) run on one machine, with the durability settings of `npm start`.',
    '',
    ...[...machines].flatMap((name) => renderMachineTable(name, lines)),
    '## How each figure is measured',
    '',
    ...methods.map(({ line }) => line),
    '',
  ].join('\n')
  await writeFile(path, text + previous.peers)
}

/** Writes the section about the peers, its chart, and its figures for the site. Keeps the rest of the report. */
export async function writePeers(section: string, chart: string, figures: PeerFigures): Promise<void> {
  const [benchSection = ''] = (await readFile(path, 'utf8')).split(peersHeading)
  await writeFile(path, `${benchSection.trimEnd()}\n\n${peersHeading}\n${section}`)
  await writeFile(chartPath, chart)
  await writeFile(figuresPath, `${JSON.stringify(figures, undefined, 2)}\n`)
}

function formatLines(lines: string[][]): string[] {
  const widths = header.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? '').length)))
  return lines.map((cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
}

function toCells(bench: string, row: Row): string[] {
  return [
    bench,
    row.name,
    formatWithUnit(row.value, row.unit),
    `${formatNumber(row.low)} .. ${formatNumber(row.high)}`,
    describeAim(row),
    describeVerdict(row),
    row.detail ?? '',
  ]
}

function formatWithUnit(value: number, unit: string): string {
  return `${formatNumber(value)}${unit === 'x' ? 'x' : ` ${unit}`}`
}

function formatNumber(value: number): string {
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))
}

function describeAim({ aim, unit }: Row): string {
  return aim === undefined
    ? ''
    : 'atMost' in aim
      ? `at most ${formatWithUnit(aim.atMost, unit)}`
      : `at least ${formatWithUnit(aim.atLeast, unit)}`
}

function describeVerdict(row: Row): string {
  const met = meetsAim(row)
  return met === undefined ? '' : met ? 'met' : 'missed'
}

async function readReport(): Promise<Report> {
  const [benchSection = '', peers] = (await readFile(path, 'utf8').catch(() => '')).split(peersHeading)
  const report: Report = { lines: [], methods: [], peers: peers === undefined ? '' : `\n${peersHeading}${peers}` }
  let machine = ''
  for (const line of benchSection.split('\n')) {
    const bench = methodPattern.exec(line)?.[1]
    if (bench !== undefined) report.methods.push({ bench, line })
    if (line.startsWith(machinePrefix)) machine = line.slice(machinePrefix.length)
    if (!line.startsWith('| ') || /^\| (?:bench |-)/.test(line)) continue
    const cells = line.slice(2, -2).split(' | ')
    report.lines.push({ machine, cells: cells.map((cell) => cell.trim()) })
  }
  return report
}

function renderMachineTable(machine: string, lines: Line[]): string[] {
  return [
    `${machinePrefix}${machine}`,
    '',
    ...renderTable(lines.filter((line) => line.machine === machine).map(({ cells }) => cells)),
    '',
  ]
}

function renderTable(lines: string[][]): string[] {
  const [first = '', ...rest] = formatLines([header, ...lines])
  return [first, first.replaceAll(/[^|]/g, '-').replaceAll('|-', '| ').replaceAll('-|', ' |'), ...rest]
}
