import { Socket } from 'node:net'
import { connectEncrypted, parseTlsMode } from './tls.ts'
import { endingAtOnce } from './socket-end.ts'

type Target = { host: string[]; port: number[]; path?: string | false; sslnegotiation?: unknown }

/**
 * Driver option that supplies our sockets; with several hosts the driver creates its own. Without `silenceMs`, a query
 * on a connection whose peer disappeared would wait for a quarter of an hour. With it, the connection is closed and the
 * query fails after that time without data.
 */
export function ownSocket(url: string, silenceMs: number | undefined): object {
  if (url.includes(',')) return {}
  const mode = parseTlsMode(url)
  const open = mode === undefined ? plain : encrypted(mode)
  return {
    socket: async (target: Target) => withSilence(await open(target), silenceMs),
    // The socket is already encrypted.
    ...(mode !== undefined && { ssl: false }),
  }
}

function plain(target: Target): Socket {
  const { host, port } = toAddress(target)
  const socket = endingAtOnce(new Socket())
  return target.path ? socket.connect(target.path) : socket.connect(port, host)
}

function toAddress({ host, port }: Target): { host: string; port: number } {
  return {
    host: host[0] ?? 'localhost',
    port: port[0] ?? 5432,
  }
}

/**
 * Reports a failed connection as an error of a socket, because the driver does not handle sockets that cannot be
 * created.
 */
function encrypted(mode: string) {
  return (target: Target): Promise<Socket> =>
    connectEncrypted(mode, { ...toAddress(target), sslnegotiation: target.sslnegotiation }).catch((error) =>
      endingAtOnce(new Socket()).destroy(error),
    )
}

function withSilence(socket: Socket, silenceMs: number | undefined): Socket {
  return silenceMs === undefined ? socket : socket.setTimeout(silenceMs, () => socket.destroy())
}
