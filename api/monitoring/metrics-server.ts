import { createServer, type ServerResponse } from 'node:http'
import { createListeners } from '../http/listeners.ts'
import type { Metrics } from './metrics.ts'

type Options = { hosts: readonly [string, ...string[]]; port: number }

/**
 * Serves GET /metrics in the Prometheus text format on a separate port, which the load balancer of the API does not
 * expose. `port` 0 lets the system choose a port.
 */
export async function serveMetrics({ registry }: Pick<Metrics, 'registry'>, { hosts, port }: Options) {
  const scrape = async (response: ServerResponse): Promise<void> => {
    const body = await registry.metrics()
    response.writeHead(200, { 'content-type': registry.contentType }).end(body)
  }
  const server = createServer({ requestTimeout: 5000 }, ({ method, url }, response) => {
    if (method === 'GET' && url?.split('?')[0] === '/metrics')
      scrape(response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
    else response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found. The metrics are at GET /metrics.\n')
  })
  const listeners = createListeners(server, { hosts })
  return {
    port: await listeners.listen(port),
    close: async (): Promise<void> => {
      const listenersClosed = listeners.close()
      server.closeAllConnections()
      await listenersClosed
    },
  }
}
