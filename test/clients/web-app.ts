import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { build } from 'esbuild'

/** A page whose function `follow` stores the events of an EventSource, so that a test can read them. */
const page = `<!doctype html>
<meta charset="utf-8">
<title>A page with a chat</title>
<script>
  const follow = (address) => {
    const seen = { frames: [], opened: 0, end: '' }
    const source = new EventSource(address)
    source.onopen = () => seen.opened++
    source.onmessage = ({ lastEventId, data }) => {
      if (data !== '[DONE]') return seen.frames.push({ index: Number(lastEventId), body: data })
      seen.end = 'done'
      source.close()
    }
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) seen.end = 'closed'
    }
    return seen
  }
</script>
`

/** Bundles an SDK version into a script that defines the globals `openClient` and `createResumingFetch`. */
const bundle = async (sdk: string): Promise<string> => {
  const contents = `
    import * as sdk from '${sdk}'
    import { openClient } from './test/clients/headless.ts'
    import { createResumingFetch } from './client/index.ts'
    Object.assign(globalThis, { openClient: (...rest) => openClient(sdk, ...rest), createResumingFetch })`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd() },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
  })
  return outputFiles[0]?.text ?? ''
}

/** The server of a web app. It serves a page and relays the streams of one account, so that the page needs no API key. */
export type WebApp = {
  baseUrl: string
  /** The `Last-Event-ID` of each stream request. */
  lastEventIds: (string | undefined)[]
  /** Breaks all streams that pages read. */
  cut(): void
  close(): Promise<void>
}

export const startWebApp = async (api: string, apiKey: () => string): Promise<WebApp> => {
  const lastEventIds: (string | undefined)[] = []
  const openResponses = new Set<ServerResponse>()

  const relay = async (chatId: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const lastEventId = request.headers['last-event-id']?.toString()
    lastEventIds.push(lastEventId)
    const disconnect = new AbortController()
    openResponses.add(response)
    response.once('close', () => {
      openResponses.delete(response)
      disconnect.abort()
    })
    const upstream = await fetch(`${api}/api/chat/${chatId}/stream`, {
      headers: { 'x-api-key': apiKey(), ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
      signal: disconnect.signal,
    })
    response.writeHead(upstream.status, { 'content-type': upstream.headers.get('content-type') ?? 'text/plain' })
    if (upstream.body === null) response.end()
    else await pipeline(Readable.fromWeb(upstream.body), response)
  }

  const server = createServer((request, response) => {
    const [, route, name = ''] = (request.url ?? '').split('/')
    if (route === 'events') relay(name, request, response).catch(() => response.destroy())
    else if (route === 'sdk')
      bundle(name).then(
        (text) => response.setHeader('content-type', 'text/javascript').end(text),
        () => response.destroy(),
      )
    else response.setHeader('content-type', 'text/html').end(page)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    for (const response of openResponses) response.destroy()
  }
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lastEventIds,
    cut,
    close: async () => {
      cut()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
