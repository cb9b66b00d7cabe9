import { once } from 'node:events'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { withSimultaneousEnd } from './socket-end.ts'
import { parseUrl } from '../../../domain/fields/url.ts'

/** Address of a server and its TLS negotiation, with the driver's property names. */
export type TlsTarget = { host: string; port: number; sslnegotiation?: unknown }

// SSLRequest of the Postgres protocol: a length of 8 and the code 80877103.
const request = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const responseTimeoutMs = 10_000
const unverified = new Set(['require', 'allow', 'prefer'])

/** Returns the TLS mode of the URL, such as `require` of `sslmode=require`; undefined for an unencrypted connection. */
export function parseTlsMode(url: string): string | undefined {
  const params = parseUrl(url)?.searchParams ?? new URLSearchParams()
  const mode = params.get('sslmode') ?? params.get('ssl') ?? 'disable'
  return mode === 'disable' || mode === 'false' ? undefined : mode
}

/**
 * Opens an encrypted connection to a Postgres server, or an unencrypted connection if `mode` is `prefer` and the server has
 * no TLS. `require`, `allow` and `prefer` accept any certificate, like the driver. Other modes verify that the certificate
 * is valid for the host.
 */
export async function connectEncrypted(mode: string, target: TlsTarget): Promise<Socket> {
  const socket = withSimultaneousEnd(connectTcp(target.port, target.host))
  socket.on('error', () => {})
  try {
    await waitForEvent(socket, 'connect')
    if (target.sslnegotiation === 'direct' || (await requestTls(socket))) return await encrypt(socket, mode, target)
    if (mode === 'prefer') return socket
    throw new Error('the database server does not support TLS, which the database URL requires')
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** Resolves with the arguments of the event. Rejects when the connection fails, ends or times out first. */
async function waitForEvent(socket: Socket, event: string): Promise<unknown[]> {
  const disconnected = new AbortController()
  const end = (): void => disconnected.abort()
  socket.once('close', end)
  try {
    return await once(socket, event, {
      signal: AbortSignal.any([disconnected.signal, AbortSignal.timeout(responseTimeoutMs)]),
    })
  } catch (error) {
    throw error instanceof Error && error.name === 'AbortError' ? connectionClosed() : error
  } finally {
    socket.off('close', end)
  }
}

function connectionClosed(): Error {
  return Object.assign(
    new Error('the database server closed the connection or did not respond before it was encrypted'),
    {
      code: 'CONNECTION_CLOSED',
    },
  )
}

async function requestTls(socket: Socket): Promise<boolean> {
  socket.write(request)
  const response = String((await waitForEvent(socket, 'data'))[0])
  // The response is one byte. Any bytes after it would be read as data of the encrypted connection.
  if (response !== 'S' && response !== 'N') throw new Error('the database server did not understand the TLS request')
  return response === 'S'
}

async function encrypt(socket: Socket, mode: string, target: TlsTarget): Promise<Socket> {
  const options = {
    socket,
    host: target.host,
    rejectUnauthorized: !unverified.has(mode),
    ...(isIP(target.host) === 0 && { servername: target.host }),
    ...(target.sslnegotiation === 'direct' && { ALPNProtocols: ['postgresql'] }),
  }
  // Attached immediately, because the connection may end before the driver listens.
  const encrypted = withSimultaneousEnd(connectTls(options))
  await waitForEvent(encrypted, 'secureConnect')
  return encrypted
}
