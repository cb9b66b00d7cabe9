import ipaddr from 'ipaddr.js'
import { expect, it } from 'vitest'
import { buildE2bNetwork, supportsHeaders, buildVercelPolicy } from '../../../providers/sandbox/cloud/reach.ts'

const baseUrl = 'https://platform.example:8443/v1'

it.each([
  ['public', { allow: ['*'], subnets: { deny: expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16']) } }],
  ['platform', { allow: ['platform.example'], subnets: { deny: expect.arrayContaining(['10.0.0.0/8']) } }],
  ['none', 'deny-all'],
] as const)('Vercel machines get the network policy for the reach %s', (reach, policy) => {
  expect(buildVercelPolicy({ reach, baseUrl })).toEqual(policy)
})

it.each([
  ['public', { denyOut: expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16']) }],
  ['platform', { allowOut: ['platform.example'], denyOut: ['0.0.0.0/0'] }],
  ['none', { denyOut: ['0.0.0.0/0'] }],
] as const)('E2B machines get the network rules for the reach %s', (reach, network) => {
  expect(buildE2bNetwork({ reach, baseUrl })).toEqual(network)
})

const added = { 'x-api-key': 'sk_of_a_run' }
const platform = 'https://platform.example'

it.each([
  ['public', { 'platform.example': [{ transform: [{ headers: added }] }], '*': [] }],
  ['platform', { 'platform.example': [{ transform: [{ headers: added }] }] }],
] as const)('Vercel adds headers only to requests to the platform, with the reach %s', (reach, allow) => {
  const subnets = { deny: expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16']) }
  expect(buildVercelPolicy({ reach, baseUrl: platform }, added)).toEqual({ allow, subnets })
})

it.each(['public', 'platform'] as const)(
  "E2B adds headers only to requests to the platform's host name, with the reach %s",
  (reach) => {
    const { allowOut, denyOut, rules } = buildE2bNetwork({ reach, baseUrl: platform }, added)
    expect([denyOut, rules]).toEqual([['0.0.0.0/0'], { 'platform.example': [{ transform: { headers: added } }] }])
    const [host, ...networks] = allowOut as string[]
    expect(host).toBe('platform.example')
    const isAllowed = (address: string): boolean =>
      networks.some((network) => ipaddr.IPv4.parse(address).match(ipaddr.IPv4.parseCIDR(network)))
    const open = [
      '0.0.0.1',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
      '128.0.0.0',
    ]
    const others = ['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.169.0.0', '255.255.255.255']
    expect([...open, ...others].filter((address) => !isAllowed(address))).toEqual(
      reach === 'public' ? [] : [...open, ...others],
    )
    const privateAddresses = [
      '10.0.0.0',
      '10.255.255.255',
      '100.64.0.0',
      '100.127.255.255',
      '127.0.0.1',
      '169.254.169.254',
    ]
    expect([...privateAddresses, '172.16.0.0', '172.31.255.255', '192.168.255.255'].filter(isAllowed)).toEqual([])
  },
)

it.each([
  ['https://platform.example', true],
  ['https://platform.example/', true],
  ['http://platform.example', false],
  ['https://platform.example:8443', false],
  ['https://platform.example/v1', false],
  ['https://203.0.113.7', false],
  ['https://[2001:db8::1]', false],
])('for the platform URL %s, the vendors support added headers: %s', (baseUrl, expected) => {
  expect(supportsHeaders({ reach: 'public', baseUrl })).toBe(expected)
  expect(supportsHeaders({ reach: 'none', baseUrl })).toBe(false)
})
