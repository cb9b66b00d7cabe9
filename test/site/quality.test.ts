import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listRoutes } from '../../api/app.ts'
import { createMetrics } from '../../api/monitoring/metrics.ts'
import { loadContent, type SiteContent } from '../../api/site/load-content.ts'
import { createWorld, type World } from '../world/world.ts'
import * as golden from './golden.ts'

let world: World
let content: SiteContent
beforeAll(async () => {
  world = await createWorld({ worker: false })
  content = await loadContent(world.config, listRoutes(world.deps, createMetrics()))
})
afterAll(() => world.close())

type Ranked = { query: string; rank: number; found: string[] }

/** Finds the rank of the first expected entry among the first five results, or infinity. */
const findRank = ([query, expected, type]: golden.GoldenRow): Ranked => {
  const found = content.search({ query, limit: 5, ...(type !== undefined && { type }) }).results.map(({ id }) => id)
  const expectedIds = expected.split(' ')
  const index = found.findIndex((id) => expectedIds.includes(id))
  return { query, rank: index < 0 ? Number.POSITIVE_INFINITY : index + 1, found }
}
const computeHitRate = (ranked: readonly Ranked[], maxRank: number): number =>
  ranked.filter(({ rank }) => rank <= maxRank).length / ranked.length
const computeMeanReciprocalRank = (ranked: readonly Ranked[]): number =>
  ranked.reduce((sum, { rank }) => sum + 1 / rank, 0) / ranked.length
const searchIds = (query: string): string[] => content.search({ query, limit: 10 }).results.map(({ id }) => id)

test('common searches find the expected entry among the first results', () => {
  const { paraphrases, situations, typos, names, keywords, addresses } = golden
  const kinds = { paraphrases, situations, typos, names, keywords, addresses }
  const ranked = Object.entries(kinds).map(([kind, rows]) => [kind, rows.map(findRank)] as const)
  const all = ranked.flatMap(([, rows]) => rows)
  const lines = ranked.map(
    ([kind, rows]) =>
      `${kind.padEnd(12)} hit@1 ${computeHitRate(rows, 1).toFixed(2)}  hit@3 ${computeHitRate(rows, 3).toFixed(2)}  hit@5 ${computeHitRate(rows, 5).toFixed(2)}  MRR@5 ${computeMeanReciprocalRank(rows).toFixed(3)}`,
  )
  const misses = all.filter(({ rank }) => rank > 1).map(({ query, rank, found }) => `  ${rank}  ${query} → ${found[0]}`)
  console.log(
    [
      `Search quality over ${all.length} queries`,
      ...lines,
      `all          MRR@5 ${computeMeanReciprocalRank(all).toFixed(3)}`,
      ...misses,
    ].join('\n'),
  )
  const rowsByKind = Object.fromEntries(ranked)
  expect(all.length).toBeGreaterThanOrEqual(80)
  expect(computeMeanReciprocalRank(all)).toBeGreaterThanOrEqual(0.95)
  expect(computeHitRate(rowsByKind['paraphrases'] ?? [], 1)).toBeGreaterThanOrEqual(0.75)
  expect(computeHitRate(rowsByKind['paraphrases'] ?? [], 5)).toBeGreaterThanOrEqual(0.9)
  expect(computeHitRate(rowsByKind['situations'] ?? [], 3)).toBe(1)
  expect(computeHitRate(rowsByKind['typos'] ?? [], 3)).toBeGreaterThanOrEqual(0.95)
  expect(computeHitRate(rowsByKind['names'] ?? [], 3)).toBe(1)
  expect(computeHitRate(rowsByKind['addresses'] ?? [], 1)).toBe(1)
})

test.each(golden.equivalentQueries)(
  'the search for %s has the same first result as the search for %s',
  (one, other) => {
    expect(searchIds(one)[0]).toBe(searchIds(other)[0])
  },
)

test('a search finds a title regardless of case, diacritics and spaces', () => {
  expect(searchIds('HOW CATALÓG  valuation works!')[0]).toBe('docs:catalog-valuation')
})

test('the search for a path first lists its operations with every method', () => {
  const operations = content.entries
    .filter(({ header }) => header.api?.path === '/api/tasks')
    .map(({ header }) => header.id)
  expect(searchIds('/api/tasks').slice(0, operations.length).toSorted()).toEqual(operations.toSorted())
  expect(searchIds('DELETE /api/credits/sessions')[0]).toMatch(/credits.*sessions/)
})

test.each(golden.withoutResult)('the search for %j finds nothing', (query) => {
  expect(content.search({ query })).toMatchObject({ results: [], total: 0, nextCursor: null })
})

test('a type filter returns and counts only entries of this type', () => {
  const { results, total } = content.search({ query: 'valuation', type: 'blog', limit: 10 })
  expect(new Set(results.map(({ type }) => type))).toEqual(new Set(['blog']))
  expect(total).toBe(results.length)
})

describe.each(golden.hostileQueries)('the query %s', (query) => {
  test('is treated as plain words and is returned unchanged', () => {
    const results = content.search({ query })
    expect(results.query).toBe(query.trim())
  })
})

test.each([['x'.repeat(241)], ['🎵'.repeat(241)], ['a\tb'], ['a\nb'], ['a\0b'], ['a\u007Fb']])(
  'the query %j is rejected',
  (query) => {
    expect(() => content.search({ query })).toThrow(/240 characters/)
  },
)

test('result pages of any length contain every result once, in the same order', () => {
  const firstPage = content.search({ query: 'sandbox', limit: 10 })
  expect(firstPage.total).toBeGreaterThan(7)
  for (const limit of [1, 3, 7]) {
    const ids: string[] = []
    for (let cursor: string | undefined; ;) {
      const page = content.search({ query: 'sandbox', limit, ...(cursor !== undefined && { cursor }) })
      expect(page.total).toBe(firstPage.total)
      ids.push(...page.results.map(({ id }) => id))
      if (page.nextCursor === null) break
      cursor = page.nextCursor
    }
    expect(ids).toHaveLength(firstPage.total)
    expect(new Set(ids).size).toBe(firstPage.total)
    expect(ids.slice(0, 10)).toEqual(firstPage.results.map(({ id }) => id))
  }
  for (let again = 0; again < 100; again++) expect(content.search({ query: 'sandbox', limit: 10 })).toEqual(firstPage)
})

test('every excerpt is short, on one line and contains a matching word', () => {
  const rows = [...golden.paraphrases, ...golden.situations, ...golden.keywords]
  for (const [query, , type] of rows)
    for (const { excerpt, highlights } of content.search({ query, limit: 10, ...(type && { type }) }).results) {
      expect(Array.from(excerpt).length).toBeLessThanOrEqual(320)
      expect(excerpt).toMatch(/^\S.*\S$/)
      let last = 0
      for (const { start, end } of highlights) {
        expect(start).toBeGreaterThanOrEqual(last)
        expect(end).toBeGreaterThan(start)
        last = end
      }
    }
})
