import type { ServerResponse } from 'node:http'
import type { NodeServerResponseLike } from '@modelcontextprotocol/node'

/** What was to be sent, in one piece: to look at its length, and to pack it. */
export type CollectedAnswer = { status: number; headers: Record<string, string>; body: () => Buffer }

/** Takes the place of `response` for a handler that writes. Ends with it where the client leaves. */
export function collectAnswer(response: ServerResponse): { sink: NodeServerResponseLike; answer: CollectedAnswer } {
  const parts: Uint8Array[] = []
  const answer: CollectedAnswer = { status: 200, headers: {}, body: () => Buffer.concat(parts) }
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
