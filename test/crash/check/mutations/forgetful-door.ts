import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

export type Door = { url: string; close(): Promise<void> }

/** Opens a proxy that passes everything on except one header. */
export const openForgetfulDoor = async ({ baseUrl }: { baseUrl: string }): Promise<Door> => {
  const server = createServer((incoming, outgoing) => {
    const pass = async (): Promise<void> => {
      const pieces: Buffer[] = []
      for await (const piece of incoming as AsyncIterable<Buffer>) pieces.push(piece)
      const names = ['x-api-key', 'content-type', 'idempotency-key', 'last-event-id']
      const forwardedHeaders = names.flatMap((name) =>
        incoming.headers[name] === undefined ? [] : [[name, String(incoming.headers[name])]],
      )
      const response = await fetch(baseUrl + (incoming.url ?? ''), {
        method: incoming.method ?? 'GET',
        headers: Object.fromEntries(forwardedHeaders) as Record<string, string>,
        ...(pieces.length > 0 && { body: Buffer.concat(pieces) }),
      })
      const kept = [...response.headers].filter(([name]) => name !== 'retry-after')
      outgoing.writeHead(response.status, Object.fromEntries(kept))
      for await (const piece of response.body ?? []) outgoing.write(piece)
      outgoing.end()
    }
    pass().catch(() => outgoing.destroy())
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
