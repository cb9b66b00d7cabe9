import { lookup, Resolver } from 'node:dns/promises'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { isPublicAddress } from '../../egress/addresses.ts'

const connectTimeoutMs = 15_000

/** Name resolver, and predicate for allowed addresses and ports. Tests replace both. */
export type Internet = {
  resolve: (host: string) => Promise<string[]>
  allows: (address: string, port: number) => boolean
}

export const publicInternet: Internet = {
  resolve: resolvePublic,
  allows: (address, port) => (port === 80 || port === 443) && isPublicAddress(address),
}

/** Thrown if the network layer responds in place of the server. */
export class ConnectionRefusedError extends Error {
  override readonly name = 'ConnectionRefusedError'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Connects to an internet host, at the addresses that were checked. */
export async function dialInternet(internet: Internet, url: URL): Promise<Socket> {
  const port = resolvePort(url)
  const addresses = (await resolveAddresses(internet.resolve, readHost(url))).filter((address) =>
    internet.allows(address, port),
  )
  if (addresses.length === 0)
    throw new ConnectionRefusedError(403, 'Only public addresses can be reached from here, on ports 80 and 443')
  return connectTo(addresses, port)
}

/** Connects to a host of the platform, which may have a private address. */
export async function dialService(url: URL): Promise<Socket> {
  return connectTo(await resolveAddresses(resolveLocal, readHost(url)), resolvePort(url))
}

/** Starts TLS over a connection and verifies the certificate against the host of `url`. */
export function secure(socket: Socket, url: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const host = readHost(url)
    const tlsSocket = connectTls({ socket, host, ...(isIP(host) === 0 && { servername: host }) })
    const fail = (): void => {
      clearTimeout(timer)
      tlsSocket.destroy()
      reject(new ConnectionRefusedError(502, 'The server has no valid certificate'))
    }
    const timer = setTimeout(fail, connectTimeoutMs)
    tlsSocket.once('error', fail)
    tlsSocket.once('secureConnect', () => {
      clearTimeout(timer)
      tlsSocket.off('error', fail).on('error', () => {})
      resolve(tlsSocket)
    })
  })
}

/** Resolves names only with name servers, without the hosts file and the thread pool of this machine. */
async function resolvePublic(host: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  const results = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
}

function resolvePort({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}

async function resolveAddresses(resolve: Internet['resolve'], host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  const resolved = await resolve(host).catch(() => [])
  if (resolved.length === 0) throw new ConnectionRefusedError(502, 'The host name does not resolve')
  return resolved
}

/** Returns the host of a URL. IPv6 addresses have no brackets. */
export function readHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function connectTo(addresses: string[], port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const host = addresses.length === 1 ? (addresses[0] ?? '') : 'several'
    const socket = connect({ host, port, lookup: createFixedLookup(addresses), allowHalfOpen: true, noDelay: true })
    const fail = (): void => {
      clearTimeout(timer)
      socket.destroy()
      reject(new ConnectionRefusedError(502, 'The server could not be reached'))
    }
    const timer = setTimeout(fail, connectTimeoutMs)
    socket.once('error', fail)
    socket.once('connect', () => {
      clearTimeout(timer)
      // The user of the socket handles its close. Errors of an unused socket are ignored.
      socket.off('error', fail).on('error', () => {})
      resolve(socket)
    })
  })
}

/** Returns a lookup that resolves every name to these checked addresses, even if the name has changed. */
function createFixedLookup(addresses: string[]): LookupFunction {
  return (_host, { all }, done) => {
    const resolved = addresses.map((address) => ({ address, family: isIP(address) }))
    if (all === true) done(null, resolved)
    else done(null, resolved[0]?.address ?? '', resolved[0]?.family)
  }
}

/** Resolves the platform's own name, which may be defined on this machine or its network. */
async function resolveLocal(host: string): Promise<string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)
}
