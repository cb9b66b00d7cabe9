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

/** Simulates Resend. An idempotency key identifies one email; another email with the same key is rejected. */
export const startResendServer = async (apiKey = 're_test') => {
  const received: { key: string; mail: ResendMail; id: string }[] = []
  const requestKeys: string[] = []
  const faults: { refusal?: Refusal; hold?: Promise<unknown>; cut?: boolean; unreadable?: boolean } = {}
  const emailsByKey = new Map<string, { body: string; id: string }>()
  const inbound = new Map<string, object>()
  const originals = new Map<string, string>()
  const reads: string[] = []

  const acceptEmail = (key: string, body: string): { status: number; payload: object } => {
    const before = emailsByKey.get(key)
    if (before !== undefined && before.body !== body)
      return { status: 409, payload: { statusCode: 409, name: 'invalid_idempotent_request', message: 'another body' } }
    const id = before?.id ?? randomUUID()
    if (before === undefined) {
      emailsByKey.set(key, { body, id })
      received.push({ key, id, mail: JSON.parse(body) as ResendMail })
    }
    return { status: 200, payload: { id } }
  }

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    const key = String(request.headers['idempotency-key'])
    const respondWith = (status: number, payload: object, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(payload))
    }
    requestKeys.push(key)
    const incomingId = /^\/emails\/receiving\/([^/?]+)/.exec(request.url ?? '')?.[1] ?? ''
    const incoming = inbound.get(incomingId)
    if (request.method === 'GET' && incoming !== undefined) {
      reads.push(incomingId)
      return faults.unreadable === true ? respondWith(503, { statusCode: 503, name: 'x' }) : respondWith(200, incoming)
    }
    const original = originals.get(request.url ?? '')
    if (original !== undefined) return void response.writeHead(200).end(original)
    if (request.method !== 'POST' || request.url !== '/emails')
      return respondWith(404, { statusCode: 404, name: 'not_found' })
    if (request.headers.authorization !== `Bearer ${apiKey}`)
      return respondWith(401, { statusCode: 401, name: 'invalid_api_key', message: 'API key is invalid' })
    const { refusal } = faults
    if (refusal !== undefined)
      return respondWith(
        refusal.status,
        { statusCode: refusal.status, name: refusal.name, message: 'no' },
        refusal.headers,
      )
    const { status, payload } = acceptEmail(key, body)
    await faults.hold
    if (faults.cut === true) return void request.socket.destroy()
    if (faults.unreadable === true) return void response.writeHead(200).end('{"id":')
    respondWith(status, payload)
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    received,
    /** Idempotency keys of all requests, in order. */
    requestKeys,
    faults,
    /** Incoming emails by id. */
    inbound,
    /** Original text of incoming emails by path. */
    originals,
    /** Ids of incoming emails, one for each read. */
    reads,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async (): Promise<void> => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
