import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { relayRequest } from './relay.ts'
import type { Relay } from './relay.ts'
import { openTunnel } from './tunnel.ts'

const headersMs = 30_000
const mostHeaderBytes = 32 * 1024

export type Proxy = { server: Server; close(): void }

/** The forward proxy of one execution. Nothing of it keeps this process alive. */
export const createProxy = (relay: Relay): Proxy => {
  const sockets = new Set<Socket>()
  const server = createServer(
    { maxHeaderSize: mostHeaderBytes, headersTimeout: headersMs, requestTimeout: 0, noDelay: true },
    (request, response) => void relayRequest(relay, request, response),
  )
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
  // A client that goes while it is served is no fault of ours.
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
