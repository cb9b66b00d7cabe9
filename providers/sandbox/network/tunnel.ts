import type { IncomingMessage } from 'node:http'
import { pipeline, type Duplex } from 'node:stream'
import { findTunnelService } from './access.ts'
import { dialInternet, dialService, ConnectionRefusedError } from './dial.ts'
import type { Relay } from './relay.ts'
import { parseUrl } from '../../../domain/fields/url.ts'

const authority = /^(\[[0-9a-f:.]+\]|[^:/?#@\s]+):(\d{1,5})$/i

const statusLines: Record<number, string> = { 400: '400 Bad Request', 403: '403 Forbidden', 502: '502 Bad Gateway' }

/** Connects the client to the host of its CONNECT request. The proxy cannot add headers to the encrypted data. */
export async function openTunnel(relay: Relay, request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
  client.on('error', () => {})
  try {
    const socket = await dial(relay, parseTarget(request))
    const end = (): void => {
      socket.destroy()
      client.destroy()
    }
    if (client.destroyed) {
      socket.destroy()
      return
    }
    socket.on('error', () => {})
    socket.once('close', end)
    client.once('close', end)
    socket.setTimeout(relay.meter.idleTimeoutMs, end)
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    if (head.length > 0) client.unshift(head)
    const onPipelineEnd = (error: unknown): void => {
      if (error) end()
    }
    pipeline(client, relay.meter.pace(), socket, onPipelineEnd)
    pipeline(socket, relay.meter.pace(), client, onPipelineEnd)
  } catch (error) {
    const { status, message } =
      error instanceof ConnectionRefusedError
        ? error
        : new ConnectionRefusedError(502, 'The server could not be reached')
    endWithResponse(client, statusLines[status] ?? '502 Bad Gateway', `${message}\n`)
  }
}

function dial({ access, reach, internet }: Relay, url: URL) {
  if (findTunnelService(access, url) !== undefined) return dialService(url)
  if (reach !== 'public') throw new ConnectionRefusedError(403, 'Only the platform can be reached from here')
  return dialInternet(internet, url)
}

function parseTarget({ url = '' }: IncomingMessage): URL {
  const [, host, port] = authority.exec(url) ?? []
  const target = host === undefined ? undefined : parseUrl(`https://${host}:${port}`)
  if (target === undefined) throw new ConnectionRefusedError(400, 'This URL is invalid')
  return target
}

function endWithResponse(client: Duplex, status: string, text = ''): void {
  client.end(`HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${text.length}\r\n\r\n${text}`)
}
