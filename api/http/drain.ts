import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Listeners } from './listeners.ts'

const drainTimeoutMs = 10_000

export type OpenRequests = { responses: Set<ServerResponse>; draining: boolean; whenAllClosed(): Promise<void> }

/** Tracks every request whose response is still open. While draining, each response also closes its connection. */
export function trackRequests(server: Server): OpenRequests {
  const responses = new Set<ServerResponse>()
  let onAllClosed: (() => void) | undefined
  const openRequests: OpenRequests = {
    responses,
    draining: false,
    whenAllClosed: () =>
      new Promise((resolve) => {
        if (responses.size === 0) resolve()
        else onAllClosed = resolve
      }),
  }
  server.on('request', (_request: IncomingMessage, response: ServerResponse) => {
    responses.add(response)
    if (openRequests.draining) response.shouldKeepAlive = false
    response.once('close', () => {
      responses.delete(response)
      if (!openRequests.draining) return
      server.closeIdleConnections()
      if (responses.size === 0) onAllClosed?.()
    })
  })
  return openRequests
}

export type DrainOptions = {
  server: Server
  listeners: Listeners
  openRequests: OpenRequests
  streams: { close(): Promise<void> }
}

/** Stops accepting connections, ends streams between frames, and waits up to ten seconds for open requests. */
export async function drain({ server, listeners, openRequests, streams }: DrainOptions): Promise<void> {
  openRequests.draining = true
  for (const response of openRequests.responses) response.shouldKeepAlive = false
  const listenersClosed = listeners.close()
  server.closeIdleConnections()
  await streams.close()
  const drainTimer = new AbortController()
  await Promise.race([
    openRequests.whenAllClosed(),
    pause(drainTimeoutMs, undefined, { signal: drainTimer.signal }).catch(() => undefined),
  ])
  drainTimer.abort()
  server.closeAllConnections()
  await listenersClosed
}
