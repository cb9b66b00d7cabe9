import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { createClientAddressReader } from '../../api/http/limits/network-address.ts'
import { createAdmission } from '../../api/site/limits/admission.ts'
import { createBuckets } from '../../api/site/limits/buckets.ts'

const burst = 3000
const createRequest = (remoteAddress: string, forwarded: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage

/** Returns the number of admitted requests at a rate of four requests per millisecond. */
const countAdmitted = (requests: readonly IncomingMessage[], trustedProxies: readonly string[] = []): number => {
  let ms = 0
  const admit = createAdmission({
    readNetworkAddress: createClientAddressReader(trustedProxies),
    burst,
    isOverloaded: () => false,
    now: () => (ms += 0.25),
  })
  return requests.filter((request) => {
    try {
      admit(request)
      return true
    } catch {
      return false
    }
  }).length
}
const createForgedRequests = (remoteAddress: string) =>
  Array.from({ length: 4000 }, (_, at) => createRequest(remoteAddress, `10.0.0.${at}`))

test('4,000 requests a second from one address are limited to the burst and the refill, despite forged headers', () => {
  expect(countAdmitted(createForgedRequests('203.0.113.7'))).toBe(burst + 99)
  expect(countAdmitted(createForgedRequests('2001:db8::1'))).toBe(burst + 99)
})

test('a request through a trusted proxy counts toward the client that the proxy names', () => {
  const requests = Array.from({ length: 4000 }, (_, at) => createRequest('127.0.0.1', `forged, 203.0.113.${at % 2}`))
  expect(countAdmitted(requests, ['127.0.0.1'])).toBe(4000)
})

test('an IPv6 network counts as one address', () => {
  const requests = Array.from({ length: 4000 }, (_, at) => createRequest(`2001:db8::${(at + 1).toString(16)}`, ''))
  expect(countAdmitted(requests)).toBe(burst + 99)
})

test('only the 50,000 most recent addresses are stored', () => {
  const { take } = createBuckets(1)
  for (let at = 0; at < 50_000; at++) take(`address ${at}`, 0)
  expect(take('address 0', 0).waitSeconds).toBe(1)
  take('another', 0)
  expect(take('address 2', 0).waitSeconds).toBe(1)
  expect(take('address 1', 0).waitSeconds).toBe(0)
})
