import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../../../config.ts'
import { toApiError } from '../failures.ts'
import type { Meters } from './meters.ts'
import { createPeerAddress } from './network-address.ts'
import { createPool } from './shares.ts'
import type { Holder } from '../route.ts'

export type Connections = {
  /**
   * Counts the connection towards the share of the caller of its latest request, and still towards its address. Throws 429
   * if the caller has used its share of connections. A connection from a trusted proxy, which serves many callers, counts
   * towards no share.
   */
  countFor(socket: Socket, callerKey: string): void
}

/** Closes connections above the limit of the process or the share of an address, before their first request. */
export function boundConnections(
  server: Server,
  config: Config,
  { refusals, countApis }: Pick<Meters, 'refusals'> & { countApis?: () => number },
): Connections {
  const { LIMIT_CONNECTIONS: max, LIMIT_SHARE_PERCENT: sharePercent } = config
  const pool = createPool({ name: 'connections', max, sharePercent, countApis, refusals })
  const readPeerAddress = createPeerAddress(config.trustedProxies)
  const holders = new WeakMap<Socket, Holder>()
  server.on('connection', (socket: Socket) => {
    // A connection has no caller before its first request, so all connections of one address count as one caller.
    const address = readPeerAddress(socket)
    const holder = address === undefined ? undefined : { callerKey: `address ${address}`, address }
    try {
      pool.acquire(holder)
    } catch (error) {
      // A graceful close would still process the data that has already arrived.
      socket.write(formatRefusal(error))
      socket.destroy()
      return
    }
    if (holder !== undefined) holders.set(socket, holder)
    socket.once('close', () => pool.release(holders.get(socket)))
  })
  return {
    countFor: (socket, callerKey) => {
      const holder = holders.get(socket)
      if (holder === undefined || holder.callerKey === callerKey) return
      const next = { ...holder, callerKey }
      pool.move(holder, next)
      holders.set(socket, next)
    },
  }
}

function formatRefusal(thrown: unknown): string {
  const { status, message } = toApiError(thrown)
  return `HTTP/1.1 ${status} ${message}\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
}
