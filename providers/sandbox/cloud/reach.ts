import type { NetworkPolicy } from '@vercel/sandbox'
import type { SandboxNetworkOpts } from 'e2b'

/** What machines at a vendor may reach: the public internet, the platform's API alone, or nothing. */
export type CloudReach = { reach: 'public' | 'platform' | 'none'; baseUrl: string }

/** Where vendors keep their own machines and services: never reached, as from a local sandbox. */
const closed = ['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']
const everything = '0.0.0.0/0'

export const vercelPolicy = ({ reach, baseUrl }: CloudReach): NetworkPolicy => {
  if (reach === 'none') return 'deny-all'
  return { allow: [reach === 'platform' ? new URL(baseUrl).hostname : '*'], subnets: { deny: closed } }
}

export const e2bNetwork = ({ reach, baseUrl }: CloudReach): SandboxNetworkOpts => {
  if (reach === 'none') return { denyOut: [everything] }
  if (reach === 'platform') return { allowOut: [new URL(baseUrl).hostname], denyOut: [everything] }
  return { denyOut: closed }
}
