import { afterAll, beforeAll, expect, test } from 'vitest'
import { listRoutes } from '../../api/app.ts'
import type { Route } from '../../api/http/route.ts'
import { createRouteFinder, type Match } from '../../api/http/router.ts'
import { parseQuery } from '../../api/http/validate.ts'
import { createMetrics } from '../../api/monitoring/metrics.ts'
import { loadContent, type SiteContent } from '../../api/site/load-content.ts'
import { runTool } from '../../domain/site/tools/index.ts'
import { createWorld, type World } from '../world/world.ts'
import { recordRequests, type ExampleRequest } from './examples.ts'

let world: World
let content: SiteContent
let find: (method: string, url: string) => Match
beforeAll(async () => {
  world = await createWorld({ worker: false })
  const routes = listRoutes(world.deps, createMetrics())
  content = await loadContent(world.config, routes)
  find = createRouteFinder(routes)
})
afterAll(() => world.close())

test('the examples on the site are valid API requests', async () => {
  const texts = content.entries.filter(({ header }) => header.api === undefined)
  const errors: string[] = []
  let checkedCount = 0
  for (const { header, markdown } of texts)
    for (const request of await recordRequests(markdown)) {
      const { pathname, search, searchParams } = new URL(request.url)
      if (pathname.startsWith('/agent-api/')) {
        runTool(content, toToolCall(pathname, searchParams, request))
        checkedCount += 1
      }
      if (!pathname.startsWith('/api/')) continue
      const match = find(request.method, pathname)
      checkedCount += 1
      const error = match.found ? findError(match, search.slice(1), request) : 'no such route'
      if (error !== undefined) errors.push(`${header.id}: ${request.method} ${pathname}${search}: ${error}`)
    }
  // The page documents the rejection of this request with this message.
  const refused = 'headers must contain only valid headers: Bcc is not allowed'
  expect(errors).toEqual([`docs:music-and-email: POST /api/emails: ${refused}`])
  expect(checkedCount).toBeGreaterThan(60)
})

function toToolCall(pathname: string, parameters: URLSearchParams, { body }: ExampleRequest): unknown {
  if (pathname.endsWith('/tools')) return JSON.parse(body ?? '')
  const name = pathname.endsWith('/read') ? 'read_service_page' : 'search_service'
  const input = [...parameters].map(([key, value]) => [key, key === 'limit' ? Number(value) : value] as const)
  return { name, arguments: Object.fromEntries(input) }
}

function findError({ route, params }: Match & { found: true }, query: string, { body }: ExampleRequest) {
  const checks: [Route['body'], () => unknown][] = [
    [route.params, () => params],
    [route.query, () => route.query && parseQuery(query, route.query)],
    [route.body, () => JSON.parse(body ?? (route.bodyOptional ? '{}' : 'null')) as unknown],
  ]
  for (const [schema, read] of checks) {
    const error = schema?.safeParse(read()).error
    if (error !== undefined) return error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join(', ')
  }
  return undefined
}
