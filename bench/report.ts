import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Pool } from '../db/postgres/client.ts'
import type { Print } from '../dev/say.ts'
import { cliVersion } from '../dev/stack/temporal/cli.ts'
import type { PeerFigures } from '../domain/site/figures.ts'
import { isMet, type Row } from './measure.ts'

const path = fileURLToPath(new URL('../docs/change/bench.md', import.meta.url))
const chartPath = fileURLToPath(new URL('../docs/change/peers.svg', import.meta.url))
const figuresPath = fileURLToPath(new URL('../content/figures/peers.json', import.meta.url))
/** `npm run bench:peers` writes the rest of the report, starting with this heading. */
const peersHeading = '## Comparison with other engines\n'

export type BenchRows = { bench: string; rows: Row[] }

const head = ['bench', 'what', 'figure', 'spread', 'aim', 'met', 'both sides']

/** Prints the table of one benchmark to the terminal. */
export function printRows(bench: string, rows: Row[], say: Print): void {
  for (const line of layOut([head, ...rows.map((row) => toCells(bench, row))])) say(line)
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
type Report = { lines: Line[]; hows: { bench: string; line: string }[]; peers: string }

const machineMark = 'Machine: '
const howPattern = /^- \*\*([^:*]+): [^*]+\*\*: /

/** Writes the rows to docs/change/bench.md. Rows of other benchmarks stay, each in the table of its machine. */
export async function writeReport(results: BenchRows[], order: string[], machine: string): Promise<void> {
  const known = await readReport()
  const measured = new Set(results.map(({ bench }) => bench))
  const stays = (bench: string): boolean => !measured.has(bench) && order.includes(bench)
  const lines = [
    ...known.lines.filter(({ cells: [bench = ''] }) => stays(bench)),
    ...results.flatMap(({ bench, rows }) => rows.map((row) => ({ machine, cells: toCells(bench, row) }))),
  ]
  const hows = [
    ...known.hows.filter(({ bench }) => stays(bench)),
    ...results.flatMap(({ bench, rows }) =>
      rows.map((row) => ({ bench, line: `- **${bench}: ${row.name}**: ${row.how}` })),
    ),
  ]
  const rank = (bench: string): number => order.indexOf(bench)
  lines.sort(({ cells: [a = ''] }, { cells: [b = ''] }) => rank(a) - rank(b))
  hows.sort((a, b) => rank(a.bench) - rank(b.bench))
  const machines = new Set([machine, ...lines.map((line) => line.machine)])
  const text = [
    '# Benchmarks',
    '',
    '`npm run bench` writes this page. `npm run bench -- <names>` measures and updates only these benchmarks; `--quick` only',
    'prints. Each figure has a control in the same run: both sides are measured alternately, round by round. A ratio is the',
    'ratio of the medians, and the spread is across the rounds. All processes (Postgres, Temporal, the worker, the API, the',
    'fake model and the clients) run on one machine, with the durability settings of `npm start`.',
    '',
    ...[...machines].flatMap((each) => buildTable(each, lines)),
    '## How each figure is measured',
    '',
    ...hows.map(({ line }) => line),
    '',
  ].join('\n')
  await writeFile(path, text + known.peers)
}

/** Writes the section about the peers, its chart, and its figures for the site. The rest of the report stays. */
export async function writePeers(section: string, chart: string, figures: PeerFigures): Promise<void> {
  const [own = ''] = (await readFile(path, 'utf8')).split(peersHeading)
  await writeFile(path, `${own.trimEnd()}\n\n${peersHeading}\n${section}`)
  await writeFile(chartPath, chart)
  await writeFile(figuresPath, `${JSON.stringify(figures, undefined, 2)}\n`)
}

function layOut(lines: string[][]): string[] {
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? '').length)))
  return lines.map((cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
}

function toCells(bench: string, row: Row): string[] {
  return [
    bench,
    row.name,
    withUnit(row.value, row.unit),
    `${digits(row.low)} .. ${digits(row.high)}`,
    describeAim(row),
    verdict(row),
    row.detail ?? '',
  ]
}

function withUnit(value: number, unit: string): string {
  return `${digits(value)}${unit === 'x' ? 'x' : ` ${unit}`}`
}

function digits(value: number): string {
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))
}

function describeAim({ aim, unit }: Row): string {
  return aim === undefined
    ? ''
    : 'atMost' in aim
      ? `at most ${withUnit(aim.atMost, unit)}`
      : `at least ${withUnit(aim.atLeast, unit)}`
}

function verdict(row: Row): string {
  const met = isMet(row)
  return met === undefined ? '' : met ? 'met' : 'missed'
}

async function readReport(): Promise<Report> {
  const [own = '', peers] = (await readFile(path, 'utf8').catch(() => '')).split(peersHeading)
  const report: Report = { lines: [], hows: [], peers: peers === undefined ? '' : `\n${peersHeading}${peers}` }
  let machine = ''
  for (const line of own.split('\n')) {
    const bench = howPattern.exec(line)?.[1]
    if (bench !== undefined) report.hows.push({ bench, line })
    if (line.startsWith(machineMark)) machine = line.slice(machineMark.length)
    if (!line.startsWith('| ') || /^\| (?:bench |-)/.test(line)) continue
    const cells = line.slice(2, -2).split(' | ')
    report.lines.push({ machine, cells: cells.map((cell) => cell.trim()) })
  }
  return report
}

function buildTable(machine: string, lines: Line[]): string[] {
  return [
    `${machineMark}${machine}`,
    '',
    ...table(lines.filter((line) => line.machine === machine).map(({ cells }) => cells)),
    '',
  ]
}

function table(lines: string[][]): string[] {
  const [first = '', ...rest] = layOut([head, ...lines])
  return [first, first.replaceAll(/[^|]/g, '-').replaceAll('|-', '| ').replaceAll('-|', ' |'), ...rest]
}
