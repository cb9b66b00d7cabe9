import { request, type IncomingMessage } from 'node:http'
import { clockMicroseconds } from '../../stack/plan.ts'
import type { Get, Heard } from '../peer.ts'
import type { Post } from '../../processes/reader.ts'

/** A token of a numbered answer: its place, when the model sent it and when it came, in microseconds. */
export type Token = { place: number; sentAt: number; at: number }

export type Listener = {
  heard: Heard
  /** As the client has them: without those that the server took back. */
  tokens: Token[]
  /** How many were taken back. */
  retracted: number
  /** Status of the answer, 0 when the connection failed. Resolves with the head. */
  status: Promise<number>
  /** Resolves when the stream has ended or was cut. */
  ended: Promise<void>
  isOpen(): boolean
  close(): void
}

type State = Pick<Listener, 'heard' | 'tokens' | 'retracted'>

/** Reads one stream; `before` continues the state of an earlier connection. */
export function listen(sendRequest: Post | Get, before?: State): Listener {
  const state: State = before ?? {
    heard: { headers: {}, lastEventId: '', events: 0, characters: 0 },
    tokens: [],
    retracted: 0,
  }
  const body = 'body' in sendRequest ? JSON.stringify(sendRequest.body) : undefined
  const sent = request(sendRequest.url, {
    method: body === undefined ? 'GET' : 'POST',
    agent: false,
    headers: {
      ...sendRequest.headers,
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    },
  })
  const status = new Promise<number>((resolve) => {
    sent.once('response', ({ statusCode = 0 }) => resolve(statusCode)).once('error', () => resolve(0))
  })
  let isOpen = true
  const ended = new Promise<void>((resolve) => {
    sent.once('close', () => {
      isOpen = false
      resolve()
    })
  })
  sent.on('response', (response) => {
    if (body !== undefined)
      state.heard.headers = Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
      )
    response.on('error', () => {})
    if (response.statusCode === 200) readEvents(response, state)
    else response.resume()
  })
  sent.on('error', () => {}).end(body)
  return Object.assign(state, { status, ended, isOpen: () => isOpen, close: () => void sent.destroy() })
}

function readEvents(response: IncomingMessage, state: State): void {
  let rest = ''
  response.setEncoding('utf8').on('data', (piece: string) => {
    const events = (rest + piece).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) take(event, state)
  })
}

function take(event: string, state: State): void {
  const { heard } = state
  heard.characters += event.length + 2
  const id = /^id: ?(.+)$/m.exec(event)?.[1]
  if (id !== undefined) heard.lastEventId = id
  if (!/^data:/m.test(event)) return
  heard.events++
  if (event.includes('"type":"data-retract"')) state.retracted += state.tokens.splice(0).length
  const at = clockMicroseconds()
  for (const [, place, sentAt] of event.matchAll(/#(\d+)@(\d+);/g))
    state.tokens.push({ place: Number(place), sentAt: Number(sentAt), at })
}
