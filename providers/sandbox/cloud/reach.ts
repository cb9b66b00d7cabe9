import type { NetworkPolicy } from '@vercel/sandbox'
import type { SandboxNetworkOpts } from 'e2b'
import ipaddr from 'ipaddr.js'

/** Network reach of machines at a vendor: the public internet, only the platform's API, or nothing. */
export type CloudReach = { reach: 'public' | 'platform' | 'none'; baseUrl: string }

/** Headers that the vendor's network adds, outside the machine, to requests for the platform. */
export type AddedHeaders = Record<string, string>

/** Private ranges, which include the vendors' own machines and services. Never reachable, as from a local sandbox. */
const closed = ['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']
const everything = '0.0.0.0/0'

/**
 * Whether a vendor's network can add headers for the platform only. Vendors match by host name, not by port or path, and
 * without TLS a machine could send any host name to any server.
 */
export function takesHeaders({ reach, baseUrl }: CloudReach): boolean {
  const { protocol, hostname, port, pathname } = new URL(baseUrl)
  const isNamed = !ipaddr.isValid(hostname.replaceAll(/[[\]]/g, ''))
  return reach !== 'none' && protocol === 'https:' && port === '' && pathname === '/' && isNamed
}

export function vercelPolicy({ reach, baseUrl }: CloudReach, added?: AddedHeaders): NetworkPolicy {
  if (reach === 'none') return 'deny-all'
  const { hostname } = new URL(baseUrl)
  const subnets = { deny: closed }
  if (added === undefined) return { allow: [reach === 'platform' ? hostname : '*'], subnets }
  return {
    allow: { [hostname]: [{ transform: [{ headers: added }] }], ...(reach === 'public' && { '*': [] }) },
    subnets,
  }
}

export function e2bNetwork({ reach, baseUrl }: CloudReach, added?: AddedHeaders): SandboxNetworkOpts {
  if (reach === 'none') return { denyOut: [everything] }
  const { hostname } = new URL(baseUrl)
  if (added === undefined)
    return reach === 'platform' ? { allowOut: [hostname], denyOut: [everything] } : { denyOut: closed }
  // E2B resolves a host itself only if the host is allowed by name and all others are denied. Otherwise it trusts the
  // address that the machine claims for the name.
  return {
    allowOut: [hostname, ...(reach === 'public' ? outside(closed) : [])],
    denyOut: [everything],
    rules: { [hostname]: [{ transform: { headers: added } }] },
  }
}

/** Returns the IPv4 networks that cover all addresses outside `networks`. */
function outside(networks: readonly string[]): string[] {
  const inner = networks.map((network) => ipaddr.IPv4.parseCIDR(network))
  const listOutside = (start: number, bits: number): string[] => {
    const address = new ipaddr.IPv4([24, 16, 8, 0].map((shift) => Math.floor(start / 2 ** shift) % 256))
    if (inner.some(([base, length]) => length <= bits && address.match(base, length))) return []
    if (!inner.some(([base, length]) => length > bits && base.match(address, bits)))
      return [`${address.toString()}/${bits}`]
    return [start, start + 2 ** (31 - bits)].flatMap((half) => listOutside(half, bits + 1))
  }
  return listOutside(0, 0)
}
