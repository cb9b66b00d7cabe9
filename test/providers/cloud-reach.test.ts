import { expect, it } from 'vitest'
import { e2bNetwork, vercelPolicy } from '../../providers/sandbox/cloud/reach.ts'

const baseUrl = 'https://platform.example:8443/v1'

it.each([
  ['public', { allow: ['*'], subnets: { deny: expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16']) } }],
  ['platform', { allow: ['platform.example'], subnets: { deny: expect.arrayContaining(['10.0.0.0/8']) } }],
  ['none', 'deny-all'],
] as const)('machines at Vercel that may reach %s', (reach, policy) => {
  expect(vercelPolicy({ reach, baseUrl })).toEqual(policy)
})

it.each([
  ['public', { denyOut: expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16']) }],
  ['platform', { allowOut: ['platform.example'], denyOut: ['0.0.0.0/0'] }],
  ['none', { denyOut: ['0.0.0.0/0'] }],
] as const)('machines at E2B that may reach %s', (reach, network) => {
  expect(e2bNetwork({ reach, baseUrl })).toEqual(network)
})
