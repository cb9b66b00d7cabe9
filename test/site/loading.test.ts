import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listRoutes } from '../../api/app.ts'
import { createMetrics } from '../../api/monitoring/metrics.ts'
import { createRouteDescriber, type DescribeRoutes } from '../../api/reference/openapi.ts'
import type { SiteMiddleware } from '../../api/monitoring/site-record.ts'
import { createSite } from '../../api/site/index.ts'
import { createWorld, type World } from '../world/world.ts'
import { listenWith } from './listen.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { SITE: 'on' } })
})
afterAll(() => world.close())

const notFound: SiteMiddleware = async ({ res }) => void res.writeHead(404).end()

test('the first request to the site loads the content once, and a failed load is retried', async () => {
  const { config, deps } = world
  const metrics = createMetrics()
  const routes = listRoutes(deps, metrics)
  const describe = vi.fn<DescribeRoutes>(createRouteDescriber(config.baseUrl))
  describe.mockImplementationOnce(() => {
    throw new Error('the reference cannot be generated')
  })
  const site = await listenWith([...createSite({ ...deps, metrics }, routes, describe), notFound], metrics)
  const read = async (path: string, init: RequestInit = {}): Promise<number> => {
    const response = await fetch(site.url + path, { headers: { accept: 'text/html' }, ...init })
    await response.arrayBuffer()
    return response.status
  }
  try {
    for (const path of ['/healthz', '/api/sessions', '/openapi.json']) expect(await read(path)).toBe(404)
    expect(await read('/api/chat', { method: 'POST', body: '{}' })).toBe(404)
    expect(describe).not.toHaveBeenCalled()
    expect(await read('/docs')).toBe(500)
    expect(await Promise.all(['/docs', '/llms.txt', '/pricing'].map((path) => read(path)))).toEqual([200, 200, 200])
    expect(await read('/no-such-page')).toBe(404)
    expect(describe).toHaveBeenCalledTimes(2)
  } finally {
    await site.close()
  }
})
