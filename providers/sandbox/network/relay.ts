import { request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { findService, type NetworkAccess, type NetworkReach, type Service } from './access.ts'
import { dialInternet, dialService, ConnectionRefusedError, secure, type Internet } from './dial.ts'
import { filterEndToEnd, buildRequestHeaders } from './headers.ts'
import type { Meter } from './meter.ts'
import { parseUrl } from '../../../domain/fields/url.ts'

export type Relay = { access: NetworkAccess; reach: NetworkReach; internet: Internet; meter: Meter }

type Hop = { socket: Socket; host: string; path: string; added: Record<string, string> }

/** Responds with an error in place of the server and closes the connection. */
export function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const { status, message } =
    error instanceof ConnectionRefusedError ? error : new ConnectionRefusedError(502, 'The server could not be reached')
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${message}\n`)
}

/** Forwards one request and its response. Redirects are returned to the client. */
export async function relayRequest(relay: Relay, request: IncomingMessage, response: ServerResponse): Promise<void> {
  request.on('error', () => {})
  response.on('error', () => {})
  try {
    // The response to TRACE would reveal the added headers.
    if (request.method === 'TRACE') throw new ConnectionRefusedError(405, 'TRACE is not allowed')
    const { socket, host, path, added } = await chooseHop(relay, request)
    if (response.destroyed) {
      socket.destroy()
      return
    }
    const end = (): void => void socket.destroy()
    response.once('close', end)
    socket.setTimeout(relay.meter.idleTimeoutMs, end)
    const clientHeaders = filterEndToEnd(request.rawHeaders, request.headers.connection)
    const outgoing = sendRequest({
      createConnection: () => socket,
      method: request.method ?? 'GET',
      path,
      headers: [...buildRequestHeaders(clientHeaders, host, added), ...buildFraming(request), 'connection', 'close'],
    })
    outgoing.on('error', (error) => refuse(response, error))
    outgoing.once('close', () => {
      if (!response.headersSent) refuse(response, undefined)
    })
    outgoing.once('response', (serverResponse) => {
      const { statusCode = 0, rawHeaders, headers } = serverResponse
      if (statusCode < 200) {
        socket.destroy()
        return
      }
      // A response before the end of the request closes the connection, because the rest of the request is not read.
      if (!request.complete) response.shouldKeepAlive = false
      response.writeHead(statusCode, filterEndToEnd(rawHeaders, headers.connection))
      pipeline(serverResponse, relay.meter.pace(), response, (error) => {
        if (error) response.destroy()
      })
    })
    if (hasBody(request))
      pipeline(request, relay.meter.pace(), outgoing, (error) => {
        if (error) socket.destroy()
      })
    else outgoing.end()
  } catch (error) {
    refuse(response, error)
  }
}

async function chooseHop(relay: Relay, request: IncomingMessage): Promise<Hop> {
  const { url, isAbsolute } = parseTarget(request)
  const service = findService(relay.access, url)
  if (service !== undefined) return connectToService(service, url)
  if (!isAbsolute) throw new ConnectionRefusedError(400, 'This is a proxy: send absolute URLs')
  return connectToInternet(relay, url)
}

/** Reads the target. A request line with an absolute URL is a proxy request; otherwise the Host header names the host. */
function parseTarget({ url = '', headers }: IncomingMessage): { url: URL; isAbsolute: boolean } {
  const isAbsolute = /^https?:\/\//i.test(url)
  const text = isAbsolute ? url : `http://${headers.host ?? ''}${url.startsWith('/') ? url : `/${url}`}`
  const parsed = parseUrl(text)
  if (parsed === undefined) throw new ConnectionRefusedError(400, 'This URL is invalid')
  return { url: parsed, isAbsolute }
}

async function connectToService(service: Service, url: URL): Promise<Hop> {
  const path = `${url.pathname}${url.search}`
  const added = await service.headers(url.pathname)
  if (added === undefined) throw new ConnectionRefusedError(403, 'This path cannot be reached from a sandbox')
  const dial = new URL(service.dial ?? service.address)
  const socket = await dialService(dial)
  return {
    socket: dial.protocol === 'https:' ? await secure(socket, dial) : socket,
    host: new URL(service.address).host,
    path,
    added,
  }
}

async function connectToInternet({ reach, internet }: Relay, url: URL): Promise<Hop> {
  if (reach !== 'public') throw new ConnectionRefusedError(403, 'Only the platform can be reached from here')
  const socket = await dialInternet(internet, url)
  const secured = url.protocol === 'https:' ? await secure(socket, url) : socket
  return { socket: secured, host: url.host, path: `${url.pathname}${url.search}`, added: {} }
}

/** Builds the framing header from the parsed message, so that data after a message is never parsed as another message. */
function buildFraming({ headers }: IncomingMessage): string[] {
  return headers['transfer-encoding'] === undefined ? [] : ['transfer-encoding', 'chunked']
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
