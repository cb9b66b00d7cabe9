import type { ServerResponse } from 'node:http'
import type { NodeServerResponseLike } from '@modelcontextprotocol/node'

/** A complete response in memory, whose length is known and which can be compressed. */
export type CollectedResponse = { status: number; headers: Record<string, string>; body: () => Buffer }

/** Creates a `sink` that collects the output of a handler instead of sending it to the client of `response`. */
export function collectResponse(response: ServerResponse): {
  sink: NodeServerResponseLike
  collected: CollectedResponse
} {
  const parts: Uint8Array[] = []
  const collected: CollectedResponse = { status: 200, headers: {}, body: () => Buffer.concat(parts) }
  const append = (chunk: string | Uint8Array): void => {
    parts.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  }
  const sink: NodeServerResponseLike = {
    writeHead: (status, headers = {}) => {
      collected.status = status
      collected.headers = headers
    },
    write: (chunk) => {
      append(chunk)
      return true
    },
    end: (chunk) => {
      if (chunk !== undefined) append(chunk)
    },
    on: (event, listener) => response.on(event, listener),
    get destroyed() {
      return response.destroyed
    },
  }
  return { sink, collected }
}
