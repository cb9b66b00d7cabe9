import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createConsole } from '../../api/console/page/serve.ts'
import { ConfigError, loadConfig } from '../../config.ts'
import { listenWith } from '../site/listen.ts'

type Server = Awaited<ReturnType<typeof listenWith>>

let server: Server
beforeAll(async () => (server = await serve({})))
afterAll(() => server.close())

const serve = async (settings: Record<string, string>): Promise<Server> =>
  listenWith([...(await createConsole(loadConfig(settings))), (ctx) => void ctx.res.writeHead(404).end('of the API')])

const sendRequest = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const response = await fetch(server.url + path, { headers, method })
  return { status: response.status, headers: response.headers, body: await response.text() }
}

const listAssets = (page: string): string[] =>
  [...page.matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(([, path = '']) => path)

/** Returns the size of an asset as sent, in bytes. */
const measureAsset = async (path: string): Promise<number> => {
  const { status, headers } = await sendRequest(path, { 'accept-encoding': 'br' }, 'HEAD')
  expect([path, status, headers.get('content-encoding')]).toEqual([path, 200, 'br'])
  return Number(headers.get('content-length'))
}

const findAssets = (script: string, pattern: RegExp): string[] =>
  [...script.matchAll(pattern)].map(([, name = '']) => `/console/assets/${name}`)

/** Lists an asset and the assets that it imports, without those that are already loaded. */
const listDependencies = async (path: string, loaded: ReadonlySet<string>): Promise<Set<string>> => {
  const needed = new Set<string>()
  const add = async (asset: string): Promise<void> => {
    if (loaded.has(asset) || needed.has(asset)) return
    needed.add(asset)
    for (const next of findAssets((await sendRequest(asset)).body, /from"\.\/([^"]+)"/g)) await add(next)
  }
  await add(path)
  return needed
}

const sumBytes = async (paths: Iterable<string>): Promise<number> =>
  (await Promise.all([...paths].map(measureAsset))).reduce((sum, size) => sum + size, 0)

test('every path under /console returns the same page with a strict content security policy', async () => {
  const { body, headers } = await sendRequest('/console')
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; connect-src 'self'; media-src 'self' blob:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  )
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cache-control')).toBe('no-cache')
  expect(body).not.toMatch(/<style|style="| on\w+="|<script(?! type="module" src="\/console\/assets\/)/)
  for (const path of ['/console/', '/console/runs/wrun_1', '/console/chat/%3Cscript%3E'])
    expect(await sendRequest(path)).toMatchObject({ status: 200, body })
  const etag = headers.get('etag') ?? ''
  expect(await sendRequest('/console/tasks', { 'if-none-match': etag })).toMatchObject({ status: 304, body: '' })
})

test('assets are named by their content, cached forever and served in three encodings', async () => {
  const paths = listAssets((await sendRequest('/console')).body)
  expect(paths.length).toBeGreaterThan(2)
  const encodings = await Promise.all(
    ['br', 'gzip', 'identity'].map(async (encoding) => {
      const { headers, body } = await sendRequest(paths[0] ?? '', { 'accept-encoding': encoding })
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(headers.get('vary')).toBe('Accept-Encoding')
      return { body, etag: headers.get('etag') }
    }),
  )
  expect(new Set(encodings.map(({ body }) => body)).size).toBe(1)
  expect(new Set(encodings.map(({ etag }) => etag)).size).toBe(3)
})

test('a missing asset returns 404, and the API handles other methods and paths', async () => {
  expect(await sendRequest('/console/assets/main-OLD.js')).toMatchObject({ status: 404, body: '' })
  expect(await sendRequest('/console/assets/..%2Fmanifest.json')).toMatchObject({ status: 404, body: '' })
  expect((await sendRequest('/console', {}, 'POST')).body).toBe('of the API')
  expect((await sendRequest('/consoles')).body).toBe('of the API')
  expect(await sendRequest('/console/runs', {}, 'HEAD')).toMatchObject({ status: 200, body: '' })
})

test('the first view loads less than 180 KB, a chat less than 280 KB, and every other page less than 230 KB', async () => {
  const first = new Set(listAssets((await sendRequest('/console')).body))
  const scripts = await Promise.all(
    [...first].filter((path) => path.endsWith('.js')).map(async (path) => (await sendRequest(path)).body),
  )
  const pages = [...new Set(scripts.flatMap((script) => findAssets(script, /import\("\.\/([^"]+)"\)/g)))]
  expect(pages.length).toBeGreaterThan(8)
  const shared = await sumBytes(first)
  const sizes = await Promise.all(
    pages.map(async (path) => shared + (await sumBytes(await listDependencies(path, first)))),
  )
  const [chat = 0, next = 0] = sizes.toSorted((left, right) => right - left)
  expect(shared).toBeLessThan(180_000)
  expect(chat).toBeLessThan(280_000)
  expect(next).toBeLessThan(230_000)
})

const fetchBody = (url: string, host: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { host } }, (response) => void text(response).then(resolve, reject)).on('error', reject)
  })

test('a console with a separate origin responds only at that origin and calls the API', async () => {
  const separateConsole = await serve({
    BASE_URL: 'https://api.example',
    CONSOLE_URL: 'https://console.example/console',
    IDENTITY_ISSUER: 'https://issuer.example/tenant',
    IDENTITY_AUDIENCE: 'backline',
  })
  expect(await fetchBody(`${separateConsole.url}/console`, 'api.example')).toBe('of the API')
  expect(await fetchBody(`${separateConsole.url}/console`, 'console.example')).toContain(
    'content="https://api.example"',
  )
  await separateConsole.close()
})

test('CONSOLE_URL must end with /console unless the console is off', async () => {
  const invalidUrl = { CONSOLE_URL: 'https://console.example/elsewhere' }
  expect(() => loadConfig(invalidUrl)).toThrow(ConfigError)
  expect(await createConsole(loadConfig({ ...invalidUrl, CONSOLE: 'off' }))).toEqual([])
})
