import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

const rangeOf = (text: string): Range => {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

const parse = (text: string | undefined): Address | undefined =>
  text !== undefined && ipaddr.isValid(text) ? ipaddr.process(text) : undefined

// One network has 2^64 addresses of version 6 for each of its machines.
const counted = (address: Address): string =>
  address instanceof ipaddr.IPv6
    ? `${address.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : address.toString()

/**
 * Where a request comes from, as limits count it: the other end of the connection, or what the nearest trusted proxies
 * say was theirs.
 */
export const createNetworkAddress = (trustedProxies: readonly string[]): ((request: IncomingMessage) => string) => {
  const trusted = trustedProxies.map(rangeOf)
  const isTrusted = (address: Address): boolean =>
    trusted.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))

  return ({ socket, headers }) => {
    let nearest = parse(socket.remoteAddress)
    if (nearest === undefined) return 'unknown'
    const told = String(headers['x-forwarded-for'] ?? '').split(',')
    while (isTrusted(nearest)) {
      const before = parse(told.pop()?.trim())
      if (before === undefined) break
      nearest = before
    }
    return counted(nearest)
  }
}
