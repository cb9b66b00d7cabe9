import { describe, expect, test } from 'vitest'
import { drawChart } from '../../bench/peers/report/chart.ts'
import { describePeers } from '../../bench/peers/report/section.ts'
import type { Column } from '../../bench/peers/report/summary.ts'
import type { Peer } from '../../bench/peers/peer.ts'

function start(): never {
  throw new Error('nothing is started here')
}

function column(peer: Partial<Peer> & { name: string }, cells: Column['cells']): Column {
  return { peer: { packages: [], setup: 'a setup', notPersisted: 'nothing', start, ...peer }, cells }
}

const columns = [
  column({ name: 'Ours' }, [
    { firstToken: 70, capacity: 12_500, step: 20, recovery: 900, afterKill: 'whole' },
    { firstToken: 80, capacity: 12_500, step: 22, recovery: 1100, afterKill: 'whole' },
    { firstToken: 60, step: 21, recovery: 1000, afterKill: 'whole' },
  ]),
  column({ name: 'Fast', ahead: { firstToken: 'it keeps <nothing>' }, marks: { step: 'not durable' } }, [
    { firstToken: 10, capacity: 5000, step: 2, afterKill: 'the rest is lost' },
  ]),
  column({ name: 'Slow' }, [{ firstToken: 400, capacity: 1000, cost20: 'fell behind', afterKill: 'whole, 50 twice' }]),
]

describe('the report on the peers', () => {
  const section = describePeers(columns, { Ours: 'ours 1', Fast: 'fast 2' }, '2 cores')
  const cells = (title: string): string[] =>
    (section.split('\n').find((line) => line.startsWith(`| ${title} `)) ?? '').split('|').map((cell) => cell.trim())

  test('a figure is the median of the rounds, shown with their spread', () => {
    expect(cells('request to the first token')[2]).toBe('70 ms (60 .. 80)')
    expect(cells('maximum tokens/s with p99 within 250 ms')[2]).toBe('12,500 tokens/s (12,500 .. 12,500)')
  })

  test('the cell of a peer without a figure contains the reason', () => {
    expect(cells('a durable step').slice(3, 5)).toEqual(['2 ms, not durable', 'not measured'])
    expect(cells('kill -9 during a turn to the next token')[3]).toBe('the rest is lost')
    expect(cells('CPU time of a token, 20 streams')[4]).toBe('fell behind')
    expect(cells('state of the client at the end').slice(2, 5)).toEqual([
      'whole',
      'the rest is lost',
      'whole, 50 twice',
    ])
  })

  test('the report lists each peer that leads in a figure, with the reason, unless the figure has a mark', () => {
    const leads = section.split('\n').filter((line) => /^- \*\*(Fast|Slow)\*\*: [^(]*request/.test(line))
    expect(leads).toEqual(['- **Fast**: request to the first token (it keeps <nothing>)'])
  })

  test('all lines of the table have the same width', () => {
    const widths = new Set(
      section
        .split('\n')
        .filter((line) => line.startsWith('| '))
        .map(({ length }) => length),
    )
    expect(widths.size).toBe(1)
  })

  test('the chart has a bar for each figure and a text for each missing one', () => {
    const chart = drawChart(columns)
    expect(chart.match(/<rect x=/g)).toHaveLength(3 + 3 + 2 + 1)
    expect(chart).toContain('>2 ms, not durable</text>')
    expect(chart).toContain('>the rest is lost</text>')
  })
})
