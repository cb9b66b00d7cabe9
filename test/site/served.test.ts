import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '../world/world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { SITE: 'on' } })
})
afterAll(() => world.close())

const get = (path: string, accept = '*/*') => fetch(world.baseUrl + path, { headers: { accept } })
const readStatusAndType = async (path: string, accept?: string) => {
  const response = await get(path, accept)
  await response.text()
  return [response.status, response.headers.get('content-type')]
}
const page = 'text/html; charset=utf-8'
const json = 'application/json'
const platformJson = 'application/json; charset=utf-8'

test('one process serves the site and the platform API', async () => {
  expect(await readStatusAndType('/', 'text/html')).toEqual([200, page])
  expect(await readStatusAndType('/docs/api-reference', 'text/html')).toEqual([200, page])
  expect(await readStatusAndType('/agent-api/v1/search?query=scheduled+tasks')).toEqual([200, json])
  expect(await readStatusAndType('/api/sessions', 'text/html')).toEqual([401, platformJson])
  expect(await readStatusAndType('/api/chat/runs', 'text/html')).toEqual([405, platformJson])
  expect(await readStatusAndType('/nowhere', 'text/html')).toEqual([404, page])
  expect(await readStatusAndType('/nowhere')).toEqual([404, platformJson])
})

test("the site's price list matches the settings", async () => {
  const { markdown } = (await (await get('/agent-api/v1/read?id=page:/pricing')).json()) as { markdown: string }
  for (const { allotment } of Object.values(world.config.plans.table))
    expect(markdown).toContain(allotment.toLocaleString('en-US'))
})

test('an API without a site serves no site pages', async () => {
  const worldWithoutSite = await createWorld({ worker: false })
  try {
    const response = await fetch(worldWithoutSite.baseUrl, { headers: { accept: 'text/html' } })
    expect([response.status, await response.json()]).toEqual([404, { status: 'error', error: 'Not found' }])
  } finally {
    await worldWithoutSite.close()
  }
})

test('the site responds while the database is down', async () => {
  await world.deps.db.end({ timeout: 0 })
  const refused = await fetch(`${world.baseUrl}/api/sessions`, { headers: { 'x-api-key': 'sk_nobody' } })
  expect(refused.status).toBe(503)
  expect(await readStatusAndType('/search?query=credits', 'text/html')).toEqual([200, page])
  expect(await readStatusAndType('/agent-api/v1/read?id=docs:quickstart')).toEqual([200, json])
})
