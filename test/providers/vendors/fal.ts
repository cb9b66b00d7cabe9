import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { sendJson, serveVendor, type Call } from './http.ts'

type RenderRequest = {
  id: string
  model: string
  input: Record<string, unknown>
  webhook: string | null
  state: 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED'
  /** The response to a request for the result. */
  end?: { status: number; body: unknown }
  error?: string
  isCancelled?: true
  logs: { timestamp: string; level: string; message: string }[]
}

/** Starts a fake fal.ai with its queue, the request list of the platform API and signed webhooks. */
export async function startFal(key: string) {
  const requests: RenderRequest[] = []
  let pair = generateKeyPairSync('ed25519')
  /** Accepts the next submission and closes its connection without a response. */
  let swallowNext = false
  /** Accepts the next submission and sends no response. */
  let holdNext = false

  const submit = ({ path, query, body, response }: Call): void => {
    const request: RenderRequest = {
      id: `00000000-0000-4000-8000-${String(requests.length).padStart(12, '0')}`,
      model: path.slice('/queue/'.length),
      input: JSON.parse(body.toString()) as Record<string, unknown>,
      webhook: query.get('fal_webhook'),
      state: 'IN_QUEUE',
      logs: [],
    }
    requests.push(request)
    if (holdNext) {
      holdNext = false
      return
    }
    if (swallowNext) {
      swallowNext = false
      response.destroy()
      return
    }
    sendJson(response, 200, { status: 'IN_QUEUE', request_id: request.id, queue_position: 0 })
  }

  const list = ({ query, response }: Call): void => {
    const matchingRequests = requests.filter(({ model }) => model === query.get('endpoint_id')).reverse()
    const from = Number(query.get('cursor') ?? 0)
    const items = matchingRequests
      .slice(from, from + 2)
      .map(({ id, model, input }) => ({ request_id: id, endpoint_id: model, json_input: input }))
    const hasMore = from + 2 < matchingRequests.length
    sendJson(response, 200, { items, has_more: hasMore, next_cursor: hasMore ? String(from + 2) : null })
  }

  const read = ({ path, query, response }: Call): void => {
    const [, app, id, statusPath] = /^\/queue\/([\w.-]+\/[\w.-]+)\/requests\/([\w-]+)(\/status)?$/.exec(path) ?? []
    const request = requests.find((each) => each.id === id && each.model.startsWith(`${app}`))
    if (request === undefined) return sendJson(response, 404, { detail: 'Request not found' })
    if (statusPath === undefined) {
      const { status, body } = request.end ?? { status: 400, body: { detail: 'Request is still in progress' } }
      return sendJson(response, status, body)
    }
    const logs = query.get('logs') === '1' ? request.logs : undefined
    sendJson(response, 200, {
      status: request.state,
      request_id: request.id,
      logs,
      ...(request.error !== undefined && { error: request.error }),
    })
  }

  const cancel = ({ path, response }: Call): void => {
    const [, app, id] = /^\/queue\/([\w.-]+\/[\w.-]+)\/requests\/([\w-]+)\/cancel$/.exec(path) ?? []
    const request = requests.find((each) => each.id === id && each.model.startsWith(`${app}`))
    if (request === undefined) return sendJson(response, 404, { status: 'NOT_FOUND' })
    if (request.state === 'COMPLETED') return sendJson(response, 400, { status: 'ALREADY_COMPLETED' })
    request.isCancelled = true
    sendJson(response, 202, { status: 'CANCELLATION_REQUESTED' })
  }

  const vendor = await serveVendor(
    (call) => {
      const { method, path, headers, response } = call
      if (path === '/jwks') sendJson(response, 200, { keys: [pair.publicKey.export({ format: 'jwk' })] })
      else if (headers.authorization !== `Key ${key}`) sendJson(response, 401, { detail: 'No user found for Key' })
      else if (path === '/platform/models/requests/by-endpoint') list(call)
      else if (method === 'POST') submit(call)
      else if (method === 'PUT') cancel(call)
      else read(call)
      return Promise.resolve()
    },
    () => Promise.resolve(),
  )

  return {
    ...vendor,
    requests,
    urls: { queue: `${vendor.url}/queue`, platform: `${vendor.url}/platform`, keys: `${vendor.url}/jwks` },
    holdNextSubmit: (): void => void (holdNext = true),
    swallowNextSubmit: (): void => void (swallowNext = true),
    rotateKeys: (): void => void (pair = generateKeyPairSync('ed25519')),
    /** Returns the headers of a webhook call. */
    signWebhook: (
      body: Buffer,
      { requestId, at = Date.now() }: { requestId: string; at?: number },
    ): Record<string, string> => {
      const timestamp = String(Math.floor(at / 1000))
      const digest = createHash('sha256').update(body).digest('hex')
      const message = [requestId, 'user-1', timestamp, digest].join('\n')
      return {
        'x-fal-webhook-request-id': requestId,
        'x-fal-webhook-user-id': 'user-1',
        'x-fal-webhook-timestamp': timestamp,
        'x-fal-webhook-signature': sign(null, Buffer.from(message), pair.privateKey).toString('hex'),
      }
    },
  }
}
