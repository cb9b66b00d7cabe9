import type { NetworkPolicy } from '@vercel/sandbox'
import type { SandboxNetworkOpts } from 'e2b'
import ipaddr from 'ipaddr.js'

/** Network reach of machines at a vendor: the public internet, only the platform's API, or nothing. */
export type CloudReach = { reach: 'public' | 'platform' | 'none'; baseUrl: string }

/** Headers that the vendor's network adds, outside the machine, to requests for the platform. */
export type AddedHeaders = Record<string, string>

/** Private ranges, which machines cannot reach. They include the vendor's own machines and services. */
const privateRanges = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
]
const allAddresses = '0.0.0.0/0'

/**
 * Returns whether a vendor's network can add headers for the platform only. Vendors match by host name, not by port or path.
 * Without TLS, a machine could send any host name to any server.
 */
export function supportsHeaders({ reach, baseUrl }: CloudReach): boolean {
  const { protocol, hostname, port, pathname } = new URL(baseUrl)
  const hasHostName = !ipaddr.isValid(hostname.replaceAll(/[[\]]/g, ''))
  return reach !== 'none' && protocol === 'https:' && port === '' && pathname === '/' && hasHostName
}

export function buildVercelPolicy({ reach, baseUrl }: CloudReach, added?: AddedHeaders): NetworkPolicy {
  if (reach === 'none') return 'deny-all'
  const { hostname } = new URL(baseUrl)
  const subnets = { deny: privateRanges }
  if (added === undefined) return { allow: [reach === 'platform' ? hostname : '*'], subnets }
  return {
    allow: { [hostname]: [{ transform: [{ headers: added }] }], ...(reach === 'public' && { '*': [] }) },
    subnets,
  }
}

export function buildE2bNetwork({ reach, baseUrl }: CloudReach, added?: AddedHeaders): SandboxNetworkOpts {
  if (reach === 'none') return { denyOut: [allAddresses] }
  const { hostname } = new URL(baseUrl)
  if (added === undefined)
    return reach === 'platform' ? { allowOut: [hostname], denyOut: [allAddresses] } : { denyOut: privateRanges }
  // E2B resolves a host itself only if the host is allowed by name and all other addresses are denied. Otherwise, E2B trusts
  // the address that the machine sends for the name.
  return {
    allowOut: [hostname, ...(reach === 'public' ? listComplement(privateRanges) : [])],
    denyOut: [allAddresses],
    rules: { [hostname]: [{ transform: { headers: added } }] },
  }
}

/** Returns the IPv4 networks that cover all addresses outside `networks`. */
function listComplement(networks: readonly string[]): string[] {
  const inner = networks.map((network) => ipaddr.IPv4.parseCIDR(network))
  const listUncovered = (start: number, bits: number): string[] => {
    const address = new ipaddr.IPv4([24, 16, 8, 0].map((shift) => Math.floor(start / 2 ** shift) % 256))
    if (inner.some(([base, length]) => length <= bits && address.match(base, length))) return []
    if (!inner.some(([base, length]) => length > bits && base.match(address, bits)))
      return [`${address.toString()}/${bits}`]
    return [start, start + 2 ** (31 - bits)].flatMap((half) => listUncovered(half, bits + 1))
  }
  return listUncovered(0, 0)
}
