import type { Context } from 'koa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onSiteHost } from '../../../api/site/hosts.ts'
import { entries, siteUrl, startSite } from './pages-site.ts'

let site: Awaited<ReturnType<typeof startSite>>
beforeAll(async () => (site = await startSite()))
afterAll(() => site.close())

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const sendRequest = async (path: string, headers: Record<string, string> = browser, method = 'GET') => {
  const response = await fetch(site.url + path, { headers, method, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('the page of an entry', () => {
  test.each(entries.map(({ header }) => new URL(header.url).pathname))(
    '%s has one title, a content security policy and an ETag',
    async (path) => {
      const { status, headers, text } = await sendRequest(path)
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(text.match(/<h1/g)).toHaveLength(1)
      expect(text).not.toMatch(/<style|style="| on\w+="|<script(?! type="module" src="\/assets\/)/)
      expect(text).not.toContain('Source: ')
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      )
      expect(headers.get('cache-control')).toBe('public, max-age=300')
      expect(headers.get('vary')).toContain('Accept')
      expect(headers.get('link')).toContain('rel="api-catalog"')
      expect([headers.get('origin-agent-cluster'), headers.get('x-content-type-options')]).toEqual(['?1', 'nosniff'])
      const etag = headers.get('etag') ?? ''
      expect(await sendRequest(path, { ...browser, 'if-none-match': etag })).toMatchObject({ status: 304, text: '' })
      expect(await sendRequest(path, browser, 'HEAD')).toMatchObject({ status: 200, text: '' })
    },
  )

  test('runs no script and loads no resource from its text', async () => {
    const { text } = await sendRequest('/docs/hostile')
    expect(text).not.toMatch(/alert\(1\)<\/script>|javascript:|tracker\.example|<b>/)
  })

  test('links to other pages on the requested host', async () => {
    const { text } = await sendRequest('/docs/quickstart')
    expect(text).toContain('<a href="/docs/quickstart">the quickstart</a>')
    expect(text).toContain('<a href="mailto:hello@site.example">')
  })

  test('is returned as Markdown to clients that request Markdown', async () => {
    const { headers, text } = await sendRequest('/docs/quickstart', { accept: 'text/markdown' })
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(text).toMatch(`# Quickstart\n\nSource: <${siteUrl}/docs/quickstart>`)
  })
})

describe('the search page', () => {
  test('highlights matching words and lists no result twice across its pages', async () => {
    const { status, headers, text } = await sendRequest('/search?query=quickstart&type=docs')
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(text).toContain('<mark>quickstart</mark>')
    const paths: string[] = []
    for (let next: string | undefined = '/search?query=reader+frame'; next !== undefined;) {
      const response = await sendRequest(next)
      paths.push(...[...response.text.matchAll(/<h2><a href="([^"]+)"/g)].map(([, path]) => path ?? ''))
      next = /href="(\/search\?[^"]+)" rel="next"/.exec(response.text)?.[1]?.replaceAll('&amp;', '&')
    }
    expect(paths.length).toBeGreaterThan(10)
    expect(new Set(paths).size).toBe(paths.length)
  })

  test.each([
    ['', 200, 'Search for'],
    ['?query=zxqv', 200, 'No results'],
    ['?query=', 400, 'Send a query of 1 to 240 characters'],
    ['?query=x&type=news', 400, 'Choose type all, page, docs, blog or playbook.'],
    [`?query=${'x'.repeat(241)}`, 400, 'Send a query of 1 to 240 characters'],
    ['?query=x&cursor=5', 400, 'This cursor does not belong to this search'],
    ['?query=%3Cscript%3Ealert(1)%3C/script%3E%22', 200, '&lt;script&gt;alert(1)&lt;/script&gt;&quot;'],
  ])('/search%s returns %i', async (query, status, expectedText) => {
    const response = await sendRequest(`/search${query}`)
    expect([response.status, response.text.includes(expectedText)]).toEqual([status, true])
    expect(response.text).not.toContain('<script>')
  })
})

test('an unknown path shows browsers a page with the search box and is otherwise passed to the platform', async () => {
  const page = await sendRequest('/nothing-here')
  expect([page.status, page.text.includes('action="/search"')]).toEqual([404, true])
  for (const [path, headers, method] of [
    ['/nothing-here', { accept: 'application/json' }, 'GET'],
    ['/nothing-here', { accept: '*/*' }, 'GET'],
    ['/platform/route', browser, 'GET'],
    ['/docs', browser, 'POST'],
  ] as const)
    expect([path, (await sendRequest(path, headers, method)).text]).toEqual([path, 'Not Found'])
})

test.each([
  ['https://site.example', 'site.example', 'site'],
  ['https://site.example', 'api.example', 'platform'],
  ['https://api.example', 'api.example', 'site'],
  ['https://api.example', 'localhost:8787', 'site'],
  ['http://localhost:8788', '127.0.0.1:8788', 'site'],
  ['http://localhost:8788', '[::1]:8788', 'site'],
  ['http://localhost:8788', '127.0.0.1:8787', 'platform'],
])(
  'with the site at %s and the platform at https://api.example, a request to %s is handled by the %s',
  async (siteUrl, host, handledBy) => {
    const ctx = { host } as Context
    const handlers: string[] = []
    const middleware = onSiteHost({ siteUrl, baseUrl: 'https://api.example' }, () => void handlers.push('site'))
    await middleware(ctx, () => Promise.resolve(void handlers.push('platform')))
    expect(handlers).toEqual([handledBy])
  },
)
