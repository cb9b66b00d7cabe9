import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The load balancer of a cluster, which sends each request to the next API. */
export type LoadBalancer = {
  url: string
  /** Sets the function that lists the ports of the APIs. */
  setTargets(ports: () => number[]): void
  close(): Promise<void>
}

/**
 * Starts a round-robin HTTP proxy. It sends a request to the next API if an API refuses the connection, or if an API
 * dies before it responds to a GET.
 */
export const startLoadBalancer = async (port = 0): Promise<LoadBalancer> => {
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
        // If the API dies, the stream of the client must end.
        apiResponse.once('error', () => response.destroy())
        apiResponse.once('aborted', () => response.destroy())
      })
      outgoing.once('error', (error: NodeJS.ErrnoException) => {
        if (response.headersSent || response.destroyed) response.destroy()
        else if (error.code === 'ECONNREFUSED' || incoming.method === 'GET') attempt(count + 1)
        else response.writeHead(502, { 'content-type': 'text/plain' }).end('The API closed the connection.\n')
      })
      response.once('close', () => outgoing.destroy())
      // The body is not read before a connection exists, so that the next API can receive the complete body.
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
    setTargets: (ports) => {
      listTargets = ports
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
