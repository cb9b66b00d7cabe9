import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Addresses in public ranges at which a cloud serves metadata to its machines. */
const cloudServiceAddresses = ['168.63.129.16']

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * True for a public IP address in standard notation. False for everything else: private, loopback, link-local (metadata
 * services), shared, multicast and reserved ranges, all forms of IPv4 inside IPv6, and names.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address))
    return ipaddr.IPv4.parse(address).range() === 'unicast' && !cloudServiceAddresses.includes(address)
  if (!isIPv6(address) || address.includes('%')) return false
  const parsed = ipaddr.IPv6.parse(address)
  return parsed.range() === 'unicast' && parsed.match(globalUnicast)
}
