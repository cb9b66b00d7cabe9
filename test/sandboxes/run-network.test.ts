import { expect, test } from 'vitest'
import { createRunNetwork, runKeyHeaders } from '../../activities/sandboxes/network.ts'
import { connect } from '../../db/postgres/client.ts'
import { deriveRunKey } from '../../db/runs/keys.ts'

const serverSecret = 'a secret of the tests that is long enough'
const createPlatform = (baseUrl: string) => ({ baseUrl, apiUrl: 'http://api:8787', serverSecret })
/** Creates dependencies whose database is never queried, because no request is sent. */
const createDeps = (baseUrl: string, apiUrl = 'http://api:8787') => ({
  platform: { baseUrl, apiUrl, serverSecret },
  db: connect({ url: 'postgres://localhost:1/none', max: 1, name: 'unused' }),
})
const key = deriveRunKey(serverSecret, 'wrun_1')
const readHeaders = (path: string, baseUrl = 'https://example.com') =>
  runKeyHeaders(createPlatform(baseUrl), 'wrun_1', path)

test('the proxy adds the run key to a request, and for git the same key as a password', () => {
  expect(readHeaders('/api/accounts/id')).toEqual({ 'x-api-key': key })
  const authorization = `Basic ${Buffer.from(`run:${key}`).toString('base64')}`
  expect(readHeaders('/git/team/work.git/info/refs')).toEqual({ authorization })
  expect(readHeaders('/below/git/team/work.git', 'https://example.com/below')).toEqual({ authorization })
  expect(readHeaders('/gitx')).toEqual({ 'x-api-key': key })
})

test.each([
  '/identity',
  '/identity/token',
  '//identity//token',
  '/IDENTITY/token',
  '/%69dentity/token',
  '/x/..%2fidentity/token',
  '/x/%252e%252e/identity/token',
  '/%2569dentity/token',
  '/identity./token',
  '/identity;x/token',
  '\\identity\\token',
  `/%${'25'.repeat(20)}`,
  '/inbox/guess',
  '/checkout/operator/guess',
  '/identity%3f',
  '/api/agents/signup',
  '/api//Agents/verify',
  '/%',
])('the path %s is closed to sandboxes', (path) => {
  expect(readHeaders(path)).toBeUndefined()
  expect(readHeaders(`/below${path}`, 'https://example.com/below/')).toBeUndefined()
})

test('the proxy connects to the platform at its internal URL', () => {
  const [service] = createRunNetwork(createDeps('https://example.com'), 'wrun_1').services
  expect(service).toMatchObject({ address: 'https://example.com', dial: 'http://api:8787' })
  const sameUrlDeps = createDeps('https://example.com', 'https://example.com')
  expect(createRunNetwork(sameUrlDeps, 'wrun_1').services[0]).not.toHaveProperty('dial')
})
