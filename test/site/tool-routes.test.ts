import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToolRoutes } from '../../api/site/tool-routes.ts'
import { finishSlices } from '../../domain/site/slices.ts'
import { createPublicContent } from '../../domain/site/public-content.ts'
import { listenWith } from './listen.ts'

const content = finishSlices(
  createPublicContent([], {
    serviceName: 'Backline',
    contentVersion: '3f9a1c0b7e24',
    digest: (text) => Buffer.from(text),
  }),
)
const listen = async (siteContent = content) => {
  const { url, close } = await listenWith([
    createToolRoutes({ content: siteContent, admit: () => {}, onError: () => {} }),
  ])
  return { url: `${url}/agent-api/v1`, close }
}
let site: Awaited<ReturnType<typeof listen>>
beforeAll(async () => (site = await listen()))
afterAll(() => site.close())

test.each([
  ['GET', '/search?query=x', 200, undefined],
  ['HEAD', '/search?query=x', 200, undefined],
  ['GET', '/search?query=x&query=y', 400, 'INVALID_QUERY'],
  ['GET', '/search?query=x&limit=', 400, 'INVALID_QUERY'],
  ['GET', `/search?query=x&limit=${'9'.repeat(400)}`, 400, 'INVALID_LIMIT'],
  ['GET', '/search?query=%20%20', 400, 'INVALID_QUERY'],
  ['GET', '/search?query=x&type=', 400, 'INVALID_TYPE'],
  ['GET', '/read?id=page:/x%3Fy', 400, 'INVALID_ID'],
  ['GET', '/read?id=docs:x', 404, 'NOT_FOUND'],
  ['PUT', '/search', 405, 'METHOD_NOT_ALLOWED'],
  ['GET', '/../v2/search', 404, 'NOT_FOUND'],
  ['OPTIONS', '/tools', 204, undefined],
])('%s %s returns %i %s', async (method, path, status, code) => {
  const response = await fetch(`${site.url}${path}`, { method, headers: { 'x-api-key': 'wrong', origin: 'null' } })
  const text = await response.text()
  expect(response.status).toBe(status)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.has('access-control-allow-credentials')).toBe(false)
  if (code !== undefined) expect(JSON.parse(text)).toMatchObject({ error: { code } })
  expect(response.headers.has('allow')).toBe(status === 405)
})

const toolCall = '{"name":"search_service","arguments":{"query":"x"}}'
test.each([
  ['Application/JSON; charset=utf-8', toolCall, 200],
  ['text/plain', toolCall, 415],
  ['application/json', '', 400],
  ['application/json', Buffer.from([0xc3, 0x28]), 400],
  ['application/json', toolCall.padEnd(16_384), 200],
  ['application/json', toolCall.padEnd(16_385), 413],
  ['application/json', '🎵'.repeat(4100), 413],
])('a body of the type %s gets the status that its content requires (case %#)', async (type, body, status) => {
  const response = await fetch(`${site.url}/tools`, { method: 'POST', headers: { 'content-type': type }, body })
  await response.arrayBuffer()
  expect(response.status).toBe(status)
})

test('the response to an internal error reveals no details', async () => {
  const failingSite = await listen({
    ...content,
    search: () => {
      throw new Error('secret')
    },
  })
  const response = await fetch(`${failingSite.url}/search?query=x`)
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('5')
  expect(await response.text()).not.toContain('secret')
  await failingSite.close()
})
