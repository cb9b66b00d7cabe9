import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createClientAddressReader, networkRange } from '../../api/http/limits/network-address.ts'
import { ConfigError, loadConfig } from '../../config.ts'

const createRequest = (remoteAddress: string, forwarded?: string): IncomingMessage => {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress })
  const message = new IncomingMessage(socket)
  if (forwarded !== undefined) message.headers['x-forwarded-for'] = forwarded
  return message
}

test.each<[string, string[], string, string | undefined, string]>([
  ['is the address of the connection', [], '203.0.113.1', '198.51.100.1', '203.0.113.1'],
  ['is an IPv4 address even if it is mapped to IPv6', [], '::ffff:203.0.113.1', undefined, '203.0.113.1'],
  ['is a network for IPv6', [], '2001:db8::1', undefined, '2001:db8:0:0::/64'],
  ['is the address that a trusted proxy reports', ['10.0.0.0/8'], '10.1.2.3', '203.0.113.1', '203.0.113.1'],
  [
    'is the nearest address that is not a trusted proxy',
    ['10.0.0.0/8'],
    '10.1.2.3',
    '1.1.1.1, 203.0.113.1, 10.9.9.9',
    '203.0.113.1',
  ],
  ['is not an address that an untrusted client reports', ['10.0.0.0/8'], '203.0.113.1', '10.1.2.3', '203.0.113.1'],
  ['is the address of the proxy if the proxy reports no address', ['10.0.0.0/8'], '10.1.2.3', undefined, '10.1.2.3'],
  [
    'is the address of the proxy if the proxy reports an invalid address',
    ['10.0.0.0/8'],
    '10.1.2.3',
    '203.0.113.1, x',
    '10.1.2.3',
  ],
  ['can be reported by an IPv6 proxy', ['2001:db8::/32'], '2001:db8::1', '203.0.113.1', '203.0.113.1'],
])('the network address of a request %s', (_, trusted, remote, forwarded, expected) => {
  expect(createClientAddressReader(trusted)(createRequest(remote, forwarded))).toBe(expected)
})

test('an invalid list of trusted proxies is rejected', () => {
  expect(loadConfig({ TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).trustedProxies).toEqual(['10.0.0.0/8', '::1'])
  expect(() => loadConfig({ TRUSTED_PROXIES: '10.0.0.0/8,proxy' })).toThrow(ConfigError)
})

test.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['unknown', 'unknown'],
])('the network of %s is %s', (address, network) => {
  expect(networkRange(address)).toBe(network)
})
