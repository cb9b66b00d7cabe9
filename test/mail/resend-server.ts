import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type ResendMail = {
  from: string
  to: string[]
  cc?: string[]
  subject: string
  html: string
  text: string
  headers?: Record<string, string>
  reply_to?: string
}
type Refusal = { status: number; name: string; headers?: Record<string, string> }

/** Simulates Resend. A key belongs to one email, and another email with the same key is rejected. */
export const startResendServer = async (apiKey = 're_test') => {
  const received: { key: string; mail: ResendMail; id: string }[] = []
  const requestKeys: string[] = []
  const trouble: { refusal?: Refusal; hold?: Promise<unknown>; cut?: boolean; unreadable?: boolean } = {}
  const emailsByKey = new Map<string, { body: string; id: string }>()
  const inbound = new Map<string, object>()
  const originals = new Map<string, string>()
  const reads: string[] = []

  const take = (key: string, body: string): { status: number; answer: object } => {
    const before = emailsByKey.get(key)
    if (before !== undefined && before.body !== body)
      return { status: 409, answer: { statusCode: 409, name: 'invalid_idempotent_request', message: 'another body' } }
    const id = before?.id ?? randomUUID()
    if (before === undefined) {
      emailsByKey.set(key, { body, id })
      received.push({ key, id, mail: JSON.parse(body) as ResendMail })
    }
    return { status: 200, answer: { id } }
  }

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    const key = String(request.headers['idempotency-key'])
    const respondWith = (status: number, answer: object, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(answer))
    }
    requestKeys.push(key)
    const incomingId = /^\/emails\/receiving\/([^/?]+)/.exec(request.url ?? '')?.[1] ?? ''
    const incoming = inbound.get(incomingId)
    if (request.method === 'GET' && incoming !== undefined) {
      reads.push(incomingId)
      return trouble.unreadable === true ? respondWith(503, { statusCode: 503, name: 'x' }) : respondWith(200, incoming)
    }
    const original = originals.get(request.url ?? '')
    if (original !== undefined) return void response.writeHead(200).end(original)
    if (request.method !== 'POST' || request.url !== '/emails')
      return respondWith(404, { statusCode: 404, name: 'not_found' })
    if (request.headers.authorization !== `Bearer ${apiKey}`)
      return respondWith(401, { statusCode: 401, name: 'invalid_api_key', message: 'API key is invalid' })
    const { refusal } = trouble
    if (refusal !== undefined)
      return respondWith(
        refusal.status,
        { statusCode: refusal.status, name: refusal.name, message: 'no' },
        refusal.headers,
      )
    const { status, answer } = take(key, body)
    await trouble.hold
    if (trouble.cut === true) return void request.socket.destroy()
    if (trouble.unreadable === true) return void response.writeHead(200).end('{"id":')
    respondWith(status, answer)
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    received,
    /** Keys of all requests, in order. */
    requestKeys,
    trouble,
    /** Incoming emails by id. */
    inbound,
    /** The bytes of incoming emails by path. */
    originals,
    /** The id of an incoming email for each time that it was read. */
    reads,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async (): Promise<void> => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
