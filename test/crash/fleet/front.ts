import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The load balancer of a fleet: sends each request to the next API. */
export type Front = {
  url: string
  /** Ports of the APIs that receive requests from now on. */
  use(ports: () => number[]): void
  close(): Promise<void>
}

/**
 * Starts a round-robin HTTP proxy. A request whose API refuses the connection, and a GET whose API dies before it
 * responds, goes to the next API.
 */
export const startFront = async (port = 0): Promise<Front> => {
  let listTargets: (() => number[]) | undefined
  let turn = 0

  const forward = (incoming: IncomingMessage, response: ServerResponse): void => {
    const targets = listTargets?.() ?? []
    const first = turn++
    const attempt = (count: number): void => {
      const target = targets[(first + count) % targets.length]
      if (target === undefined || count === targets.length) {
        response.writeHead(503, { 'retry-after': '1', 'content-type': 'text/plain' }).end('No API responds.\n')
        return
      }
      const outgoing = request({
        host: '127.0.0.1',
        port: target,
        method: incoming.method,
        path: incoming.url,
        headers: { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress ?? '' },
      })
      outgoing.once('response', (apiResponse) => {
        response.writeHead(apiResponse.statusCode ?? 502, apiResponse.headers)
        response.flushHeaders()
        apiResponse.pipe(response)
        // A reader must notice that its API is gone.
        apiResponse.once('error', () => response.destroy())
        apiResponse.once('aborted', () => response.destroy())
      })
      outgoing.once('error', (error: NodeJS.ErrnoException) => {
        if (response.headersSent || response.destroyed) response.destroy()
        else if (error.code === 'ECONNREFUSED' || incoming.method === 'GET') attempt(count + 1)
        else response.writeHead(502, { 'content-type': 'text/plain' }).end('The API went away.\n')
      })
      response.once('close', () => outgoing.destroy())
      // The body is read only once a connection exists, so that the next API receives all of it.
      outgoing.once('socket', (socket) => {
        if (socket.connecting) socket.once('connect', () => incoming.pipe(outgoing))
        else incoming.pipe(outgoing)
      })
    }
    attempt(0)
  }

  const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, forward)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use: (ports) => {
      listTargets = ports
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
