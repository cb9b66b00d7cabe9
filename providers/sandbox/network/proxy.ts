import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ConnectionRefusedError } from './dial.ts'
import { refuse, relayRequest, type Relay } from './relay.ts'
import { openTunnel } from './tunnel.ts'

const headersTimeoutMs = 30_000
const maxHeaderBytes = 32 * 1024

export type Proxy = { server: Server; close(): void }

/** Creates the forward proxy of one execution. It does not prevent the exit of this process. */
export function createProxy(relay: Relay): Proxy {
  const sockets = new Set<Socket>()
  const busy = new WeakSet<Socket>()

  /** Relays one request at a time per client connection, because each request opens a connection to the server. */
  const relaySequentially = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request
    if (busy.has(socket))
      return refuse(response, new ConnectionRefusedError(429, 'A connection allows one request at a time'))
    busy.add(socket)
    const markIdle = (): void => void busy.delete(socket)
    response.once('finish', markIdle).once('close', markIdle)
    void relayRequest(relay, request, response)
  }

  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: 5000,
      requestTimeout: 0,
      noDelay: true,
    },
    relaySequentially,
  )
  server.setTimeout(relay.meter.idleTimeoutMs)
  server.on('connect', (request, client, head) => void openTunnel(relay, request, client, head))
  server.on('connection', (socket: Socket) => {
    if (!relay.meter.enter()) {
      socket.destroy()
      return
    }
    sockets.add(socket)
    socket.unref()
    socket.once('close', () => {
      sockets.delete(socket)
      relay.meter.leave()
    })
  })
  // A client may disconnect during its request, which is not an error.
  server.on('error', () => {})
  server.unref()
  return {
    server,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
