import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export type Call = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: Buffer
  response: ServerResponse
}

export type Vendor = {
  url: string
  /** `METHOD path` of each received request. */
  calls: string[]
  /** Returns the JSON bodies sent to paths that end with `path`. */
  sent(path: string): unknown[]
  /** Makes the next call whose path ends with `path` fail with the status and without an effect. */
  failNext(path: string, status: number): void
  /** Closes every connection immediately. */
  cut(): void
  close(): Promise<void>
}

export const sendJson = (response: ServerResponse, status: number, body?: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(body === undefined ? '' : JSON.stringify(body))
}

/** Starts a local server that simulates a vendor. */
export const serveVendor = async (
  handle: (call: Call) => Promise<void>,
  closeMachines: () => Promise<void>,
): Promise<Vendor> => {
  const calls: string[] = []
  const bodies: { path: string; body: Buffer }[] = []
  const faults: { path: string; status: number }[] = []
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://vendor')
    const method = request.method ?? 'GET'
    const body = await buffer(request)
    calls.push(`${method} ${path}`)
    if (method === 'POST' || method === 'PUT') bodies.push({ path, body })
    const plannedIndex = faults.findIndex((planned) => path.endsWith(planned.path))
    const [failing] = plannedIndex === -1 ? [] : faults.splice(plannedIndex, 1)
    if (failing !== undefined)
      return sendJson(response, failing.status, { error: { code: 'planned', message: 'planned' } })
    await handle({ method, path, query, headers: request.headers, body, response })
  }
  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => {
      if (response.headersSent) response.destroy(error)
      else sendJson(response, 500, { error: { code: 'internal', message: error.message } })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    sent: (end) =>
      bodies.filter(({ path }) => path.endsWith(end)).map(({ body }) => JSON.parse(body.toString()) as unknown),
    failNext: (path, status) => void faults.push({ path, status }),
    cut: () => server.closeAllConnections(),
    close: async () => {
      await closeMachines()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
