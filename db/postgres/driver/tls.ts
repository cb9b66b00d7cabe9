import { once } from 'node:events'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { endingAtOnce } from './socket-end.ts'
import { parseUrl } from '../../../domain/fields/url.ts'

/** A server's address and how it is asked for TLS, in the driver's words. */
export type TlsTarget = { host: string; port: number; sslnegotiation?: unknown }

// Of the protocol's message flow: a length of 8 and the code 80877103.
const request = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const answerMs = 10_000
const unverified = new Set(['require', 'allow', 'prefer'])

/** How the URL asks for TLS, as in `sslmode=require`; undefined when it does not. */
export function tlsModeOf(url: string): string | undefined {
  const params = parseUrl(url)?.searchParams ?? new URLSearchParams()
  const mode = params.get('sslmode') ?? params.get('ssl') ?? 'disable'
  return mode === 'disable' || mode === 'false' ? undefined : mode
}

/**
 * An encrypted connection to a Postgres server, ready for the first message; a plain one where `mode` is `prefer` and
 * the server has no TLS. `require`, `allow` and `prefer` take any certificate, as the driver does; all others ask for a
 * valid one of that host.
 */
export async function connectEncrypted(mode: string, target: TlsTarget): Promise<Socket> {
  const socket = endingAtOnce(connectTcp(target.port, target.host))
  socket.on('error', () => {})
  try {
    await heard(socket, 'connect')
    if (target.sslnegotiation === 'direct' || (await isOffered(socket))) return await encrypt(socket, mode, target)
    if (mode === 'prefer') return socket
    throw new Error('the database server does not offer TLS, which the URL of the database asks for')
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** What comes with the event; an error when the connection fails, ends or stays silent before. */
async function heard(socket: Socket, event: string): Promise<unknown[]> {
  const gone = new AbortController()
  const end = (): void => gone.abort()
  socket.once('close', end)
  try {
    return await once(socket, event, { signal: AbortSignal.any([gone.signal, AbortSignal.timeout(answerMs)]) })
  } catch (error) {
    throw error instanceof Error && error.name === 'AbortError' ? closed() : error
  } finally {
    socket.off('close', end)
  }
}

function closed(): Error {
  return Object.assign(new Error('the database server ended the connection, or was silent, before it was encrypted'), {
    code: 'CONNECTION_CLOSED',
  })
}

async function isOffered(socket: Socket): Promise<boolean> {
  socket.write(request)
  const answer = String((await heard(socket, 'data'))[0])
  // More than the one letter would be taken for what comes over the encrypted connection later.
  if (answer !== 'S' && answer !== 'N') throw new Error('the database server does not know what TLS is')
  return answer === 'S'
}

async function encrypt(socket: Socket, mode: string, target: TlsTarget): Promise<Socket> {
  const options = {
    socket,
    host: target.host,
    rejectUnauthorized: !unverified.has(mode),
    ...(isIP(target.host) === 0 && { servername: target.host }),
    ...(target.sslnegotiation === 'direct' && { ALPNProtocols: ['postgresql'] }),
  }
  // From the start: it may end before the driver listens.
  const encrypted = endingAtOnce(connectTls(options))
  await heard(encrypted, 'secureConnect')
  return encrypted
}
