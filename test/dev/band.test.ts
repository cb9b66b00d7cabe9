import { expect, test } from 'vitest'
import { drawBand } from '../../dev/demo/band.ts'

test('a band is drawn to scale, from zero to its upper end', () => {
  const [line = '', amounts] = drawBand({ low: 300_000, mid: 450_000, high: 600_000.5 })
  expect([line.length, line.indexOf('├'), line.indexOf('┼'), line.indexOf('┤')]).toEqual([61, 30, 45, 60])
  expect(line.slice(0, 30)).toBe('·'.repeat(30))
  expect(amounts).toBe('low $300,000   middle $450,000   high $600,001')
})

test('an empty band is drawn', () => {
  expect(drawBand({ low: 0, mid: 0, high: 0 })[1]).toBe('low $0   middle $0   high $0')
})
