import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

type RecordedRequest = { method: string; path: string; headers: IncomingHttpHeaders; body: string }

export type TestServer = {
  port: number
  origin: string
  /** All received requests, in order. */
  requests: RecordedRequest[]
  close(): Promise<void>
}

/** Address that represents the public internet in tests, while 127.0.0.1 represents private networks. */
export const publicAddress = '127.0.0.2'

/** Starts a server that records its requests. */
export const startServer = async (host: string, handler: RequestListener): Promise<TestServer> => {
  const requests: RecordedRequest[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      requests.push({ method, path, headers, body: Buffer.concat(parts).toString() })
      handler(request, response)
    })
  })
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http://${host}:${port}`,
    requests,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
