import { randomInt } from 'node:crypto'
import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { createListeners } from '../../../api/http/listeners.ts'
import { loopbackHosts } from '../../../config.ts'

export type UiAddress = { host: string; port: number }
export type RunningUi = { port: number; close(): Promise<void> }

const localHost = /^(?:(?:[a-z0-9-]+\.)*localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i

/** Returns the address that the UI itself listens on: on Linux, a loopback address that no web page can guess. */
export function hiddenHost(): string {
  return process.platform === 'linux' ? `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}` : '127.0.0.1'
}

/**
 * Serves the Temporal UI behind a proxy that checks the host name. The UI accepts any host name, so a web page could reach it
 * through DNS rebinding.
 */
export async function openTemporalUi(port: number, address: UiAddress): Promise<RunningUi> {
  const server = createServer((request, response) => forward(address, request, response))
  const listeners = createListeners(server, { hosts: loopbackHosts })
  return { port: await listeners.listen(port), close: () => listeners.close() }
}

function forward(address: UiAddress, request: IncomingMessage, response: ServerResponse): void {
  request.on('error', () => {})
  response.on('error', () => {})
  if (!localHost.test(request.headers.host ?? ''))
    return sendText(
      response,
      421,
      'The Temporal UI is available only under the names of this machine, such as localhost',
    )
  const { method, url: path, rawHeaders } = request
  const outgoing = sendRequest({ ...address, method, path, headers: rawHeaders, agent: false })
  outgoing.on('error', () => sendText(response, 502, 'The Temporal UI does not respond'))
  outgoing.on('response', (received) => {
    response.writeHead(received.statusCode ?? 502, received.rawHeaders)
    received.on('error', () => response.destroy()).pipe(response)
  })
  response.on('close', () => outgoing.destroy())
  request.pipe(outgoing)
}

function sendText(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(status, { 'content-type': 'text/plain' }).end(`${text}\n`)
}
