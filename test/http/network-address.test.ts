import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createClientAddressReader, networkRange } from '../../api/http/limits/network-address.ts'
import { ConfigError, loadConfig } from '../../config.ts'

const request = (remoteAddress: string, forwarded?: string): IncomingMessage => {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress })
  const message = new IncomingMessage(socket)
  if (forwarded !== undefined) message.headers['x-forwarded-for'] = forwarded
  return message
}

test.each<[string, string[], string, string | undefined, string]>([
  ['is that of the connection', [], '203.0.113.1', '198.51.100.1', '203.0.113.1'],
  ['is of version 4 also when it came as version 6', [], '::ffff:203.0.113.1', undefined, '203.0.113.1'],
  ['is a network where it is of version 6', [], '2001:db8::1', undefined, '2001:db8:0:0::/64'],
  ['is the one that a trusted proxy reports', ['10.0.0.0/8'], '10.1.2.3', '203.0.113.1', '203.0.113.1'],
  [
    'is the nearest that no trusted proxy has',
    ['10.0.0.0/8'],
    '10.1.2.3',
    '1.1.1.1, 203.0.113.1, 10.9.9.9',
    '203.0.113.1',
  ],
  ['is not the one that any other client reports', ['10.0.0.0/8'], '203.0.113.1', '10.1.2.3', '203.0.113.1'],
  ['is the proxy itself when it reports nothing', ['10.0.0.0/8'], '10.1.2.3', undefined, '10.1.2.3'],
  ['is the proxy itself when it reports an invalid one', ['10.0.0.0/8'], '10.1.2.3', '203.0.113.1, x', '10.1.2.3'],
  ['is read from proxies of version 6', ['2001:db8::/32'], '2001:db8::1', '203.0.113.1', '203.0.113.1'],
])('the network address of a request %s', (_, trusted, remote, forwarded, expected) => {
  expect(createClientAddressReader(trusted)(request(remote, forwarded))).toBe(expected)
})

test('a list of trusted proxies that is none is refused', () => {
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
