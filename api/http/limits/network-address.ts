import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

/**
 * Creates a function that returns the address of a request for limits: the peer of the connection, or the peer that the nearest
 * trusted proxies report.
 */
export function createClientAddressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = createTrustCheck(trustedProxies)
  return ({ socket, headers }) => {
    let nearest = readPeer(socket)
    if (nearest === undefined) return 'unknown'
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
    while (isTrusted(nearest)) {
      const previousHop = parse(forwarded.pop()?.trim())
      if (previousHop === undefined) break
      nearest = previousHop
    }
    return toCountedAddress(nearest)
  }
}

/** Creates a function that returns the peer address of a connection; undefined for a trusted proxy, which has many clients. */
export function createPeerAddress(trustedProxies: readonly string[]): (socket: Socket) => string | undefined {
  const isTrusted = createTrustCheck(trustedProxies)
  return (socket) => {
    const address = readPeer(socket)
    if (address === undefined) return 'unknown'
    return isTrusted(address) ? undefined : toCountedAddress(address)
  }
}

/** Returns the network of an address for limits: the /24 of an IPv4 address, or the /48 of an IPv6 address. */
export function networkRange(address: string): string {
  const [plain = ''] = address.split('/')
  const parsed = parse(plain)
  if (parsed === undefined) return address
  const bits = parsed instanceof ipaddr.IPv6 ? 48 : 24
  const network = parsed instanceof ipaddr.IPv6 ? ipaddr.IPv6 : ipaddr.IPv4
  return `${network.networkAddressFromCIDR(`${plain}/${bits}`).toString()}/${bits}`
}

const peers = new WeakMap<Socket, Address | undefined>()

/** Returns the peer of a connection. Cached, because every request of the connection needs it. */
function readPeer(socket: Socket): Address | undefined {
  if (!peers.has(socket)) peers.set(socket, parse(socket.remoteAddress))
  return peers.get(socket)
}

function createTrustCheck(trustedProxies: readonly string[]): (address: Address) => boolean {
  const trusted = trustedProxies.map(parseRange)
  return (address) =>
    trusted.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
}

function parseRange(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

function parse(text: string | undefined): Address | undefined {
  return text !== undefined && ipaddr.isValid(text) ? ipaddr.process(text) : undefined
}

/** Returns the address, or the /64 network of an IPv6 address, because one machine can use all addresses of its network. */
function toCountedAddress(address: Address): string {
  return address instanceof ipaddr.IPv6
    ? `${address.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : address.toString()
}
