import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../../../config.ts'
import { toApiError } from '../failures.ts'
import type { Metrics } from '../../monitoring/metrics.ts'
import { createPeerAddress } from './network-address.ts'
import { createPool } from './shares.ts'

/** Closes connections above the bound of the process and above the share of an address, whatever they ask. */
export function boundConnections(server: Server, config: Config, { refusals }: Metrics): void {
  const { LIMIT_CONNECTIONS: max, LIMIT_SHARE_PERCENT: sharePercent } = config
  const open = createPool({ name: 'connections', max, sharePercent, refusals })
  const peerOf = createPeerAddress(config.trustedProxies)
  server.on('connection', (socket: Socket) => {
    // Before its first request a connection has no caller: all of one address count as one.
    const address = peerOf(socket)
    const holder = address === undefined ? undefined : { who: `address ${address}`, address }
    try {
      open.take(holder)
    } catch (error) {
      // At once: what it has sent already would be handled before an orderly end.
      socket.write(refusal(error))
      socket.destroy()
      return
    }
    socket.once('close', () => open.give(holder))
  })
}

function refusal(thrown: unknown): string {
  const { status, message } = toApiError(thrown)
  return `HTTP/1.1 ${status} ${message}\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
}
