import { lookup, Resolver } from 'node:dns/promises'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { isPublicAddress } from '../../egress/addresses.ts'

const connectMs = 15_000

/** Names to addresses, and which address and port may be dialled. Tests bring their own. */
export type Internet = {
  resolve: (host: string) => Promise<string[]>
  allows: (address: string, port: number) => boolean
}

export const publicInternet: Internet = {
  resolve: resolvePublic,
  allows: (address, port) => (port === 80 || port === 443) && isPublicAddress(address),
}

/** The network layer's answer instead of the other side's. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** A connection to a host of the internet: the address that is checked is the one that is dialled. */
export async function dialOutside(internet: Internet, url: URL): Promise<Socket> {
  const port = resolvePort(url)
  const addresses = (await resolveAddresses(internet.resolve, readHost(url))).filter((address) =>
    internet.allows(address, port),
  )
  if (addresses.length === 0)
    throw new Refusal(403, 'Only public addresses can be reached from here, on ports 80 and 443')
  return connectTo(addresses, port)
}

/** A connection to a host of the platform, which may be private. */
export async function dialService(url: URL): Promise<Socket> {
  return connectTo(await resolveAddresses(resolveLocal, readHost(url)), resolvePort(url))
}

/** TLS over a connection, with the certificate checked against the host of `url`. */
export function secure(socket: Socket, url: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const host = readHost(url)
    const secured = connectTls({ socket, host, ...(isIP(host) === 0 && { servername: host }) })
    const fail = (): void => {
      clearTimeout(timer)
      secured.destroy()
      reject(new Refusal(502, 'The other side has no valid certificate'))
    }
    const timer = setTimeout(fail, connectMs)
    secured.once('error', fail)
    secured.once('secureConnect', () => {
      clearTimeout(timer)
      secured.off('error', fail).on('error', () => {})
      resolve(secured)
    })
  })
}

/** Asks name servers only: not this machine's own names, and none of the few threads that its files need. */
async function resolvePublic(host: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

function resolvePort({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}

async function resolveAddresses(resolve: Internet['resolve'], host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  const found = await resolve(host).catch(() => [])
  if (found.length === 0) throw new Refusal(502, 'The name could not be resolved')
  return found
}

function readHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function connectTo(addresses: string[], port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const host = addresses.length === 1 ? (addresses[0] ?? '') : 'several'
    const socket = connect({ host, port, lookup: only(addresses), allowHalfOpen: true, noDelay: true })
    const fail = (): void => {
      clearTimeout(timer)
      socket.destroy()
      reject(new Refusal(502, 'The other side could not be reached'))
    }
    const timer = setTimeout(fail, connectMs)
    socket.once('error', fail)
    socket.once('connect', () => {
      clearTimeout(timer)
      // The user of the socket handles its end; an error while it is unused is ignored.
      socket.off('error', fail).on('error', () => {})
      resolve(socket)
    })
  })
}

/** Exactly these addresses, whatever the name means by now. */
function only(addresses: string[]): LookupFunction {
  return (_host, { all }, done) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    if (all === true) done(null, found)
    else done(null, found[0]?.address ?? '', found[0]?.family)
  }
}

/** The platform's own name may be one of this machine or its network. */
async function resolveLocal(host: string): Promise<string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)
}
