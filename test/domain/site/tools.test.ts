import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Entry } from '../../../domain/site/content/entry.ts'
import { parseFrontMatter } from '../../../domain/site/content/front-matter.ts'
import { finishSlices } from '../../../domain/site/slices.ts'
import { createPublicContent } from '../../../domain/site/public-content.ts'
import { runTool } from '../../../domain/site/tools/index.ts'

const guide = (id: string, title: string, plain: string): Entry => ({
  header: {
    id,
    type: id.startsWith('blog') ? 'blog' : 'docs',
    title,
    description: `What a reader needs to know about this: ${title}.`,
    url: `https://site.example/${id}`,
    representation: 'full',
  },
  markdown: `# ${title}\n\n${plain} 🎵`,
  keywords: '',
  headings: '',
  plain,
})
const operation = (method: string, path: string, title: string): Entry => {
  const entry = guide(`docs:api-reference/x/${method.toLowerCase()}${path.replaceAll(/[^a-z]+/g, '-')}`, title, title)
  const api = { method, path, specificationUrl: 'https://api.example/openapi.json' }
  return { ...entry, header: { ...entry.header, api } }
}

const entries = [
  guide('docs:catalog-valuation', 'How catalog valuation works', 'A value is a band. Plays are counted a year.'),
  guide('docs:streams', 'Streams that resume', 'A client that was cut off reconnects. Nothing is repeated.'),
  guide('docs:connectors', 'Connectors', `${'A long passage of words. '.repeat(40)}A connector acts for its owner.`),
  guide('blog:band', 'What a valuation band means', 'Low, mid and high values follow from measurements.'),
  operation('GET', '/api/tasks', 'List tasks'),
  operation('PATCH', '/api/tasks', 'Change a task'),
  operation('GET', '/api/sessions/{sessionId}', 'Read a session'),
  operation('GET', '/api/sessions/search', 'Search sessions'),
]
const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest()
const options = { serviceName: 'Backline', contentVersion: '3f9a1c0b7e24', digest }
const content = finishSlices(createPublicContent(entries, options))
const searchIds = (query: string, type = 'all'): string[] =>
  content.search({ query, type, limit: 10 }).results.map(({ id }) => id)
const operationPrefix = 'docs:api-reference/x/'

test.each([
  ['HOW CATALÓG  valuation works!', 'docs:catalog-valuation'],
  ['worth of a back catalogue', 'docs:catalog-valuation'],
  ['reconnecting client', 'docs:streams'],
  ['conectors', 'docs:connectors'],
  ['PATCH /api/tasks/', `${operationPrefix}patch-api-tasks`],
  ['https://api.example.com/api/tasks?x=1', `${operationPrefix}get-api-tasks`],
  ['GET /api/sessions/0b6f1f6e', `${operationPrefix}get-api-sessions-session-d-`],
  ['GET /api/sessions/search', `${operationPrefix}get-api-sessions-search`],
])('%s finds %s first', (query, id) => {
  expect(searchIds(query)[0]).toBe(id)
})

test.each(['zxqv blorptang', 'how do I', '🎵🎵', '\u1405\u1406'])('%s finds nothing', (query) => {
  expect(content.search({ query })).toMatchObject({ results: [], total: 0, nextCursor: null })
})

test.each([
  ['Backline valuation', 'valuation'],
  ['ＡＰＩ ｔａｓｋｓ', 'API tasks'],
  ['catalogues', 'catalog'],
])('%s finds the same entries as %s', (query, otherQuery) => {
  expect(searchIds(query)).toStrictEqual(searchIds(otherQuery))
  expect(searchIds(query)).not.toStrictEqual([])
})

test('a type filter counts only entries of that type', () => {
  expect(searchIds('valuation', 'blog')).toStrictEqual(['blog:band'])
  expect(content.search({ query: 'valuation', type: 'blog' }).total).toBe(1)
})

test.each([1, 3, 7])('pages of %i results contain every result once', (limit) => {
  const ids: string[] = []
  let cursor: string | null | undefined
  do {
    const page = content.search({ query: 'tasks sessions', limit, ...(cursor ? { cursor } : {}) })
    ids.push(...page.results.map(({ id }) => id))
    cursor = page.nextCursor
  } while (cursor !== null)
  expect(ids).toStrictEqual(searchIds('tasks sessions'))
  expect(ids.length).toBeGreaterThan(1)
})

test('an excerpt shows complete matching words within its maximum length', () => {
  const [found] = content.search({ query: 'acts for its owner' }).results
  const { excerpt = '', highlights = [] } = found ?? {}
  expect(Array.from(excerpt).length).toBeLessThanOrEqual(320)
  expect(highlights.map(({ start, end }) => excerpt.slice(start, end))).toStrictEqual(['acts', 'owner'])
  expect(excerpt).toMatch(/^…A /)
})

const roi = { monthlyHours: 1, hourlyCost: 1, timeReduction: 1, monthlySystemCost: 1, setupCost: 1 }
test.each([
  [null, 'INVALID_INPUT', ['body']],
  [[], 'INVALID_INPUT', ['body']],
  [{}, 'INVALID_INPUT', ['name', 'arguments']],
  [{ name: 5, arguments: [], more: 1 }, 'INVALID_INPUT', ['body.more', 'name', 'arguments']],
  [JSON.parse('{"name":"search_service","arguments":{},"__proto__":1}'), 'INVALID_INPUT', ['body.__proto__']],
  [{ name: 'constructor', arguments: {} }, 'UNKNOWN_TOOL', ['name']],
  [{ name: 'search_service', arguments: { query: 'x', limit: '5' } }, 'INVALID_LIMIT', ['limit']],
  [{ name: 'search_service', arguments: { query: 'x', type: null } }, 'INVALID_TYPE', ['type']],
  [{ name: 'search_service', arguments: { query: 'x', q: 1 } }, 'INVALID_INPUT', ['input.q']],
  [{ name: 'search_service', arguments: { query: '🎵'.repeat(241) } }, 'INVALID_QUERY', ['query']],
  [{ name: 'search_service', arguments: { query: 'x', cursor: '5' } }, 'INVALID_CURSOR', ['cursor']],
  [{ name: 'read_service_page', arguments: { id: 'docs:../x' } }, 'INVALID_ID', ['id']],
  [{ name: 'read_service_page', arguments: { id: 'docs:absent', offset: -1 } }, 'NOT_FOUND', undefined],
  [{ name: 'read_service_page', arguments: { id: 'docs:streams', offset: 2 ** 53 } }, 'INVALID_OFFSET', ['offset']],
  [
    { name: 'estimate_workflow_roi', arguments: { ...roi, monthlyHours: -1, hourlyCost: undefined, setupCost: null } },
    'INVALID_INPUT',
    ['monthlyHours', 'hourlyCost', 'setupCost'],
  ],
  [{ name: 'estimate_workflow_roi', arguments: { monthlyHours: -1, rate: 1 } }, 'INVALID_INPUT', ['input.rate']],
  [{ name: 'assess_workflow_readiness', arguments: { answers: 1 } }, 'INVALID_INPUT', ['answers']],
  [{ name: 'assess_workflow_readiness', arguments: { answers: { ai2: 1 } } }, 'INVALID_INPUT', ['answers.ai2']],
])('%j is rejected as %s', (body, code, fields) => {
  let thrown: unknown
  try {
    runTool(content, body)
  } catch (error) {
    thrown = error
  }
  expect(thrown).toMatchObject({ code })
  const { issues } = (thrown as { body: { error: { issues?: { field: string }[] } } }).body.error
  expect(issues?.map(({ field }) => field)).toStrictEqual(fields)
})

test.each([1, 7, 12_000])('parts of %i characters add up to the whole document', (maxLength) => {
  let offset: number | null = 0
  let text = ''
  while (offset !== null) {
    const part: ReturnType<typeof content.read> = content.read({ id: 'docs:streams', offset, maxLength })
    text += part.markdown
    offset = part.nextOffset
  }
  expect(text).toBe(entries[1]?.markdown)
})

test.each(['a: 1', 'title: x', 'title: A title\ntitle: A title'])('front matter %j is rejected', (head) => {
  expect(() => parseFrontMatter(`---\n${head}\n---\nText`)).toThrow()
})
