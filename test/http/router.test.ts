import { expect, test } from 'vitest'
import type { Route } from '../../api/http/route.ts'
import { createRouteFinder } from '../../api/http/router.ts'

const routeLines = [
  'GET /api/things/{id}',
  'PATCH /api/things/{id}',
  'GET /api/things/{id}/parts/{partId}',
  'GET /api/things',
  'POST /api/things',
  'DELETE /api/things/all',
  'GET /api/things/newest',
  'GET /api/{kind}/history',
  'GET /pages/{token}',
  'POST /pages/preview',
  'GET /pages/{token}/notes',
  'GET /pages/preview/notes',
  'PUT /files/',
  'GET /.well-known/a+b.json',
]
const findRoute = createRouteFinder(
  routeLines.map((line) => {
    const [method, path] = line.split(' ')
    return { method, path } as Route
  }),
)

/** Returns the method, path and parameters of the matched route, or the allowed methods. */
function describeMatch(method: string, url: string): string {
  const match = findRoute(method, url)
  if (!match.found) return match.allow.join(' ')
  return [match.route.method, match.route.path, ...Object.entries(match.params).flat()].join(' ')
}

test.each([
  ['GET', '/api/things', 'GET /api/things'],
  ['POST', '/api/things?x=/1', 'POST /api/things'],
  ['HEAD', '/api/things', 'GET /api/things'],
  ['GET', 'http://host/api/things', 'GET /api/things'],
  ['GET', '/api/things#x', 'GET /api/things'],
  ['GET', '/api/things/7', 'GET /api/things/{id} id 7'],
  ['HEAD', '/api/things/7', 'GET /api/things/{id} id 7'],
  ['GET', '/api/things/a.b:c~d@e', 'GET /api/things/{id} id a.b:c~d@e'],
  ['GET', '/api/things/7/parts/8?id=9', 'GET /api/things/{id}/parts/{partId} id 7 partId 8'],
  // A fixed path takes precedence over a parameter, regardless of the order of declaration.
  ['GET', '/api/things/newest', 'GET /api/things/newest'],
  ['DELETE', '/api/things/all', 'DELETE /api/things/all'],
  ['GET', '/pages/preview/notes', 'GET /pages/preview/notes'],
  ['GET', '/pages/other/notes', 'GET /pages/{token}/notes token other'],
  // If the fixed path does not have the method, the path with a parameter matches.
  ['GET', '/api/things/all', 'GET /api/things/{id} id all'],
  ['PATCH', '/api/things/newest', 'PATCH /api/things/{id} id newest'],
  ['GET', '/pages/preview', 'GET /pages/{token} token preview'],
  ['POST', '/pages/preview', 'POST /pages/preview'],
  ['GET', '/api/things/history', 'GET /api/things/{id} id history'],
  ['GET', '/api/others/history', 'GET /api/{kind}/history kind others'],
  ['PUT', '/files/', 'PUT /files/'],
  ['GET', '/.well-known/a+b.json', 'GET /.well-known/a+b.json'],
])('%s %s finds its route', (method, url, expected) => {
  expect(describeMatch(method, url)).toBe(expected)
})

test.each([
  ['/api/things/a%20b', 'a b'],
  ['/api/things/a%2Fb', 'a/b'],
  ['/api/things/%2525', '%25'],
  ['/api/things/%3Fx%23y', '?x#y'],
  ['/api/things/%00', '\uFFFD'],
  ['/api/things/%E2%82%AC', '€'],
  ['/%61pi/%74hings/x', 'x'],
])('the parameter of %s is decoded once', (url, id) => {
  expect(findRoute('GET', url)).toMatchObject({ found: true, params: { id } })
})

test.each([
  ['PUT', '/api/things', 'GET POST HEAD OPTIONS'],
  ['PUT', '/api/things/newest', 'GET PATCH HEAD OPTIONS'],
  ['PUT', '/api/things/all', 'GET PATCH DELETE HEAD OPTIONS'],
  ['DELETE', '/pages/preview', 'GET POST HEAD OPTIONS'],
  ['HEAD', '/files/', 'PUT OPTIONS'],
  ['TRACE', '/files/', 'PUT OPTIONS'],
  ['OPTIONS', '/files/', 'PUT OPTIONS'],
  ['', '/files/', 'PUT OPTIONS'],
])('%s %s is not allowed, and the allowed methods of the path are returned', (method, url, allow) => {
  expect(describeMatch(method, url)).toBe(allow)
})

test.each([
  '',
  '*',
  '/',
  '//',
  '/api',
  '/api/',
  '/api/things/',
  '/api//things',
  '//api/things',
  '/api/things/7/',
  '/api/things/7/parts/',
  '/api/things//parts/8',
  '/api/Things',
  '/API/things',
  '/files',
  '/constructor',
  '/__proto__/x',
  '/api%2Fthings',
  '/api/things/%',
  '/api/things/%zz',
  '/api/things/%E0%A4%A',
  '/api/things/%ff',
  'http://host',
  'ftp://host/api/things',
])('%s is an unknown path', (url) => {
  expect(findRoute('GET', url)).toEqual({ found: false, allow: [] })
})

test('a parameter has at most 2048 characters', () => {
  expect(findRoute('GET', `/api/things/${'x'.repeat(2048)}`).found).toBe(true)
  expect(findRoute('GET', `/api/things/${'x'.repeat(2049)}`)).toEqual({ found: false, allow: [] })
})
