import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync(new URL('../../content/docs/run/security.md', import.meta.url), 'utf8')

/** Returns the cells of the table in a section, without the header. */
const listCells = (heading: string): string[][] => {
  const [section = ''] = page.split(`## ${heading}\n`).slice(1).join('').split('\n## ')
  const rows = section.split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) => row.split('|').slice(1, -1))
}

test('each cell of the table "What each party can cause" names existing tests', () => {
  const rows = listCells('What each party can cause')
  expect(rows.map(([party]) => party?.trim())).toEqual([
    'an anonymous client',
    'a web page',
    'an agent',
    'a member',
    'a provider',
  ])
  for (const [party, ...cells] of rows) {
    expect([party, cells.length]).toEqual([party, 4])
    for (const cell of cells) {
      const namedPaths = [...cell.matchAll(/`([\w/-]+\.(?:test|proof)\.ts)`/g)].map(([, path = '']) => path)
      const missing = namedPaths.filter((path) => !existsSync(new URL(`../${path}`, import.meta.url)))
      expect({ cell, named: namedPaths.length > 0, missing }).toEqual({ cell, named: true, missing: [] })
    }
  }
})
