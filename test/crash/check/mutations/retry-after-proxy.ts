import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

export type ApiProxy = { url: string; close(): Promise<void> }

/** Starts a proxy to the API that removes the Retry-After header of responses. */
export const startProxyWithoutRetryAfter = async ({ baseUrl }: { baseUrl: string }): Promise<ApiProxy> => {
  const server = createServer((incoming, outgoing) => {
    const forward = async (): Promise<void> => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
      const names = ['x-api-key', 'content-type', 'idempotency-key', 'last-event-id']
      const forwardedHeaders = names.flatMap((name) =>
        incoming.headers[name] === undefined ? [] : [[name, String(incoming.headers[name])]],
      )
      const response = await fetch(baseUrl + (incoming.url ?? ''), {
        method: incoming.method ?? 'GET',
        headers: Object.fromEntries(forwardedHeaders) as Record<string, string>,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      })
      const responseHeaders = [...response.headers].filter(([name]) => name !== 'retry-after')
      outgoing.writeHead(response.status, Object.fromEntries(responseHeaders))
      for await (const chunk of response.body ?? []) outgoing.write(chunk)
      outgoing.end()
    }
    forward().catch(() => outgoing.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close').catch(() => undefined)
    },
  }
}
