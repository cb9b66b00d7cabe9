import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import pino from 'pino'
import { createListener } from '../../api/app.ts'
import { createMetrics } from '../../api/monitoring/metrics.ts'
import { observe } from '../../api/monitoring/observe.ts'
import type { SiteMiddleware } from '../../api/monitoring/site-record.ts'

/** Starts a server with this middleware on a free port and records its log lines and metrics. */
export const listenWith = async (middleware: readonly SiteMiddleware[], metrics = createMetrics()) => {
  const lines: Record<string, unknown>[] = []
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) })
  const app = new Koa()
  app.on('error', (err: unknown) => log.error({ err }, 'unhandled error in a request'))
  for (const handler of [observe(log, metrics), ...middleware]) app.use(handler)
  const server = createServer(createListener(app)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lines,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
}
