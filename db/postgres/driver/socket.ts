import { Socket } from 'node:net'
import { connectEncrypted, parseTlsMode } from './tls.ts'
import { withSimultaneousEnd } from './socket-end.ts'
import { parseUrl } from '../../../domain/fields/url.ts'

/** URL for the driver, and the path of the Unix socket if the URL names its folder. */
type DriverTarget = { url: string; path?: string }
type Target = { host: string[]; port: number[]; path?: string | false; sslnegotiation?: unknown }

/**
 * Returns the driver option that supplies sockets with a silence timeout. For a URL with several hosts, returns no option,
 * and the driver creates its own sockets. After `silenceTimeoutMs` without data, the connection closes and its query fails.
 * Without a timeout, a query would wait 15 minutes for a peer that disappeared.
 */
export function customSocket({ url, path }: DriverTarget, silenceTimeoutMs: number | undefined): object {
  if (url.includes(',')) return {}
  const mode = parseTlsMode(url)
  const open = mode === undefined ? openPlain : openEncrypted(mode)
  return {
    ...(path !== undefined && { path }),
    socket: async (target: Target) => withSilenceTimeout(await open(target), silenceTimeoutMs),
    // The socket is already encrypted.
    ...(mode !== undefined && { ssl: false }),
  }
}

function openPlain(target: Target): Socket {
  const { host, port } = toAddress(target)
  const socket = withSimultaneousEnd(new Socket())
  return target.path ? socket.connect(target.path) : socket.connect(port, host)
}

/**
 * Returns the driver's form of a database URL. The driver does not support the folder of a Unix socket in the URL, which
 * libpq accepts: `postgres://role:password@host:port/database?host=/folder`.
 */
export function toDriverTarget(text: string): DriverTarget {
  const url = parseUrl(text)
  const folder = url?.searchParams.get('host')
  if (!url || !folder?.startsWith('/')) return { url: text }
  url.searchParams.delete('host')
  return { url: url.href, path: `${folder}/.s.PGSQL.${url.port || 5432}` }
}

function toAddress({ host, port }: Target): { host: string; port: number } {
  return {
    host: host[0] ?? 'localhost',
    port: port[0] ?? 5432,
  }
}

/**
 * Opens a TLS socket. Reports a failed connection as an error of a destroyed socket, because the driver does not handle a
 * rejected `socket` option.
 */
function openEncrypted(mode: string) {
  return (target: Target): Promise<Socket> =>
    connectEncrypted(mode, { ...toAddress(target), sslnegotiation: target.sslnegotiation }).catch((error) =>
      withSimultaneousEnd(new Socket()).destroy(error),
    )
}

function withSilenceTimeout(socket: Socket, silenceTimeoutMs: number | undefined): Socket {
  return silenceTimeoutMs === undefined ? socket : socket.setTimeout(silenceTimeoutMs, () => socket.destroy())
}
