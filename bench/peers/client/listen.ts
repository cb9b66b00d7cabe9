import { request, type IncomingMessage } from 'node:http'
import { clockMicroseconds } from '../../stack/plan.ts'
import type { Get, StreamPosition } from '../peer.ts'
import type { Post } from '../../processes/reader.ts'

/** A token of a response to a numbered plan: its index, and the times in microseconds at which it was sent and received. */
export type Token = { index: number; sentAt: number; receivedAt: number }

export type Listener = {
  position: StreamPosition
  /** Received tokens, without those that the server retracted. */
  tokens: Token[]
  /** Number of retracted tokens. */
  retracted: number
  /** Status of the response, or 0 if the connection failed. Resolves when the headers arrive. */
  status: Promise<number>
  /** Resolves when the stream has ended or was cut. */
  ended: Promise<void>
  isOpen(): boolean
  close(): void
}

type State = Pick<Listener, 'position' | 'tokens' | 'retracted'>

/** Reads one stream. `before` is the state of the connection that this connection continues. */
export function listen(streamRequest: Post | Get, before?: State): Listener {
  const state: State = before ?? {
    position: { headers: {}, lastEventId: '', events: 0, characters: 0 },
    tokens: [],
    retracted: 0,
  }
  const body = 'body' in streamRequest ? JSON.stringify(streamRequest.body) : undefined
  const clientRequest = request(streamRequest.url, {
    method: body === undefined ? 'GET' : 'POST',
    agent: false,
    headers: {
      ...streamRequest.headers,
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    },
  })
  const status = new Promise<number>((resolve) => {
    clientRequest.once('response', ({ statusCode = 0 }) => resolve(statusCode)).once('error', () => resolve(0))
  })
  let isOpen = true
  const ended = new Promise<void>((resolve) => {
    clientRequest.once('close', () => {
      isOpen = false
      resolve()
    })
  })
  clientRequest.on('response', (response) => {
    if (body !== undefined)
      state.position.headers = Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
      )
    response.on('error', () => {})
    if (response.statusCode === 200) readEvents(response, state)
    else response.resume()
  })
  clientRequest.on('error', () => {}).end(body)
  return Object.assign(state, { status, ended, isOpen: () => isOpen, close: () => void clientRequest.destroy() })
}

function readEvents(response: IncomingMessage, state: State): void {
  let rest = ''
  response.setEncoding('utf8').on('data', (piece: string) => {
    const events = (rest + piece).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) applyEvent(event, state)
  })
}

function applyEvent(event: string, state: State): void {
  const { position } = state
  position.characters += event.length + 2
  const id = /^id: ?(.+)$/m.exec(event)?.[1]
  if (id !== undefined) position.lastEventId = id
  if (!/^data:/m.test(event)) return
  position.events++
  if (event.includes('"type":"data-retract"')) state.retracted += state.tokens.splice(0).length
  const receivedAt = clockMicroseconds()
  for (const [, index, sentAt] of event.matchAll(/#(\d+)@(\d+);/g))
    state.tokens.push({ index: Number(index), sentAt: Number(sentAt), receivedAt })
}
