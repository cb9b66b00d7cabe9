import { randomInt } from 'node:crypto'
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import { createListeners } from '../../../api/http/listeners.ts'
import { loopbackHosts } from '../../../config.ts'

export type UiPlace = { host: string; port: number }
export type RunningUi = { port: number; close(): Promise<void> }

const localHost = /^(?:(?:[a-z0-9-]+\.)*localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i

/** Address on which the UI itself listens: on Linux, a loopback address that no web page can guess. */
export function hiddenHost(): string {
  return process.platform === 'linux' ? `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}` : '127.0.0.1'
}

/**
 * Serves the Temporal UI behind a check of the host name. The UI itself accepts any host name, so a web page could reach it
 * by DNS rebinding.
 */
export async function openTemporalUi(port: number, place: UiPlace): Promise<RunningUi> {
  const server = createServer((request, response) => relay(place, request, response))
  const listeners = createListeners(server, { hosts: loopbackHosts })
  return { port: await listeners.listen(port), close: () => listeners.close() }
}

function relay(place: UiPlace, request: IncomingMessage, response: ServerResponse): void {
  request.on('error', () => {})
  response.on('error', () => {})
  if (!localHost.test(request.headers.host ?? ''))
    return answer(response, 421, 'The Temporal UI answers under the names of this machine only, such as localhost')
  const { method, url: path, rawHeaders } = request
  const outgoing = ask({ ...place, method, path, headers: rawHeaders, agent: false })
  outgoing.on('error', () => answer(response, 502, 'The Temporal UI does not answer'))
  outgoing.on('response', (received) => {
    response.writeHead(received.statusCode ?? 502, received.rawHeaders)
    received.on('error', () => response.destroy()).pipe(response)
  })
  response.on('close', () => outgoing.destroy())
  request.pipe(outgoing)
}

function answer(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(status, { 'content-type': 'text/plain' }).end(`${text}\n`)
}
