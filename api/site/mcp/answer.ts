import type { ServerResponse } from 'node:http'
import type { NodeServerResponseLike } from '@modelcontextprotocol/node'

/** A complete response, collected to read its length and to compress it. */
export type CollectedResponse = { status: number; headers: Record<string, string>; body: () => Buffer }

/** Collects the output of a handler instead of `response`. Ends when the client disconnects. */
export function collectResponse(response: ServerResponse): { sink: NodeServerResponseLike; answer: CollectedResponse } {
  const parts: Uint8Array[] = []
  const answer: CollectedResponse = { status: 200, headers: {}, body: () => Buffer.concat(parts) }
  const take = (chunk: string | Uint8Array): void => {
    parts.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  }
  const sink: NodeServerResponseLike = {
    writeHead: (status, headers = {}) => {
      answer.status = status
      answer.headers = headers
    },
    write: (chunk) => {
      take(chunk)
      return true
    },
    end: (chunk) => {
      if (chunk !== undefined) take(chunk)
    },
    on: (event, listener) => response.on(event, listener),
    get destroyed() {
      return response.destroyed
    },
  }
  return { sink, answer }
}
