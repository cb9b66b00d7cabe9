import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { sendJson, serveVendor, type Call } from '../http.ts'

const clientId = 'backline-client'
export const clientSecret = 'marked-client-secret-5d41'
export const clientSettings = {
  CONNECTOR_CLIENT_STUDIO_ID: clientId,
  CONNECTOR_CLIENT_STUDIO_SECRET: clientSecret,
}

type Plan = {
  loseRefresh?: boolean
  refuseTokens?: boolean
  lifetimeSeconds: number
  loseResponses: number
  account: string
  revokesGrant?: boolean
  /** Issues tokens and sends no response. */
  hangToken?: boolean
}

const createBody = (schema: object) => ({ required: true, content: { 'application/json': { schema } } })
const createOperation = (operationId: string, overrides: object = {}) => ({
  operationId,
  summary: operationId,
  responses: { 200: { description: 'Done.' } },
  ...overrides,
})

const createOpenapi = (url: string) => ({
  openapi: '3.0.3',
  info: { title: 'Studio', version: '1' },
  servers: [{ url: `${url}/api` }],
  components: {
    schemas: {
      Booking: {
        type: 'object',
        required: ['room'],
        properties: { room: { type: 'string' }, hours: { type: 'integer', minimum: 0, exclusiveMinimum: true } },
        additionalProperties: false,
      },
    },
  },
  paths: {
    '/bookings': {
      get: createOperation('listBookings', { parameters: [{ name: 'room', in: 'query', schema: { type: 'string' } }] }),
      post: createOperation('createBooking', { requestBody: createBody({ $ref: '#/components/schemas/Booking' }) }),
    },
    '/bookings/{id}': {
      get: createOperation('getBooking', {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      }),
    },
    '/stuck': {
      post: createOperation('bookAndHang', { requestBody: createBody({ $ref: '#/components/schemas/Booking' }) }),
    },
    '/me': { get: createOperation('getMe') },
    '/big': { get: createOperation('downloadAll') },
    '/moved': { get: createOperation('followMe') },
    '/strict': { post: createOperation('beStrict', { requestBody: createBody({ type: 'object' }) }) },
    '/pictures': {
      post: createOperation('addPicture', {
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['picture'],
                properties: { picture: { type: 'string', format: 'binary' }, title: { type: 'string' } },
              },
            },
          },
        },
      }),
    },
  },
})

/** Starts a service with an authorization server that rotates refresh tokens. `plan` injects faults. */
export const serveStudio = async () => {
  const codes = new Map<string, { challenge: string; redirectUri: string }>()
  /** Tokens issued for each code. */
  const tokensByCode = new Map<string, { access_token: string; refresh_token: string }>()
  const access = new Set<string>()
  const refresh = new Set<string>()
  const bookings: unknown[] = []
  const pictures: Buffer[] = []
  const keys = new Set<unknown>()
  const plan: Plan = { lifetimeSeconds: 3600, loseResponses: 0, account: 'grace' }

  const issueTokens = () => {
    const tokens = { access_token: `marked-at-${randomUUID()}`, refresh_token: `marked-rt-${randomUUID()}` }
    access.add(tokens.access_token)
    refresh.add(tokens.refresh_token)
    return { ...tokens, token_type: 'Bearer', expires_in: plan.lifetimeSeconds }
  }

  const authorize = ({ query, response }: Call): void => {
    const [redirectUri, challenge] = [query.get('redirect_uri') ?? '', query.get('code_challenge') ?? '']
    if (query.get('client_id') !== clientId || query.get('code_challenge_method') !== 'S256')
      return sendJson(response, 400, { error: 'invalid_request' })
    const code = `marked-code-${randomUUID()}`
    codes.set(code, { challenge, redirectUri })
    const back = new URL(redirectUri)
    back.search = new URLSearchParams({ code, state: query.get('state') ?? '' }).toString()
    response.writeHead(302, { location: back.href }).end()
  }

  const token = ({ headers, body, response }: Call): void => {
    const basic = Buffer.from((headers.authorization ?? '').replace('Basic ', ''), 'base64').toString()
    if (decodeURIComponent(basic) !== `${clientId}:${clientSecret}`)
      return sendJson(response, 401, { error: 'invalid_client' })
    const form = new URLSearchParams(body.toString())
    if (form.get('grant_type') === 'refresh_token') {
      const refreshToken = form.get('refresh_token') ?? ''
      if (!refresh.delete(refreshToken)) return sendJson(response, 400, { error: 'invalid_grant' })
      const renewed = issueTokens()
      if (plan.loseRefresh === true) return void response.destroy()
      return sendJson(response, 200, renewed)
    }
    const code = form.get('code') ?? ''
    const reusedTokens = tokensByCode.get(code)
    if (reusedTokens !== undefined) {
      access.delete(reusedTokens.access_token)
      refresh.delete(reusedTokens.refresh_token)
    }
    const grant = codes.get(code)
    codes.delete(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (grant?.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri'))
      return sendJson(response, 400, { error: 'invalid_grant' })
    const tokens = issueTokens()
    tokensByCode.set(code, tokens)
    if (plan.hangToken !== true) sendJson(response, 200, tokens)
  }

  const revoke = ({ body, response }: Call): void => {
    const revoked = new URLSearchParams(body.toString()).get('token') ?? ''
    refresh.delete(revoked)
    // Many services revoke all tokens of an account with one of its tokens.
    if (plan.revokesGrant === true) [access, refresh].forEach((tokens) => tokens.clear())
    sendJson(response, 200, {})
  }

  const api: Record<string, (call: Call) => void> = {
    'GET /api/bookings': ({ response, query }) => sendJson(response, 200, { bookings, room: query.get('room') }),
    'POST /api/bookings': ({ response, body, headers }) => {
      const key = headers['idempotency-key']
      if (key === undefined || !keys.has(key)) bookings.push(JSON.parse(body.toString()))
      if (key !== undefined) keys.add(String(key))
      if (plan.loseResponses-- > 0) response.destroy()
      else sendJson(response, 201, { id: bookings.length })
    },
    'POST /api/stuck': ({ body }) => void bookings.push(JSON.parse(body.toString())),
    'GET /api/me': ({ response }) => sendJson(response, 200, { login: plan.account }),
    'GET /api/big': ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(`"${'x'.repeat(10_000_000)}"`)
    },
    'GET /api/moved': ({ response, headers }) =>
      void response.writeHead(302, { location: `http://${headers.host}/private` }).end(),
    'POST /api/strict': ({ response }) => sendJson(response, 422, { message: 'vendor text' }),
    'POST /api/pictures': ({ response, body }) => {
      pictures.push(body)
      sendJson(response, 200, { stored: true })
    },
  }

  const server = await serveVendor(
    async (call) => {
      const { method, path, headers, response } = call
      if (path === '/authorize') return authorize(call)
      if (path === '/token') return token(call)
      if (path === '/revoke') return revoke(call)
      const bearer = (headers.authorization ?? '').replace('Bearer ', '')
      if (!access.has(bearer) || plan.refuseTokens === true) return sendJson(response, 401, { error: 'invalid_token' })
      const handler = api[`${method} ${path}`]
      if (handler !== undefined) return handler(call)
      sendJson(response, 404, { message: `no ${path}` })
    },
    () => Promise.resolve(),
  )

  return {
    ...server,
    plan,
    bookings,
    pictures,
    /** Expires every issued access token. */
    expireAccess: () => access.clear(),
    revokeAll: () => {
      access.clear()
      refresh.clear()
    },
    /** Returns the valid tokens. */
    tokens: () => ({ access: [...access], refresh: [...refresh] }),
    /** Writes a CONNECTORS_DIR that describes the service. */
    describe: async (): Promise<string> => {
      const folder = await mkdtemp(join(tmpdir(), 'backline-connectors-'))
      const description = {
        slug: 'studio',
        name: 'Studio',
        client: { id: 'CONNECTOR_CLIENT_STUDIO_ID', secret: 'CONNECTOR_CLIENT_STUDIO_SECRET' },
        authorization: {
          authorizationEndpoint: `${server.url}/authorize`,
          tokenEndpoint: `${server.url}/token`,
          revocationEndpoint: `${server.url}/revoke`,
          scopes: ['book'],
        },
        account: { operation: 'getMe', member: 'login' },
        openapi: createOpenapi(server.url),
      }
      await writeFile(join(folder, 'studio.yaml'), stringify(description))
      const keyed = { ...description, slug: 'keyed', name: 'Keyed', idempotencyHeader: 'Idempotency-Key' }
      await writeFile(join(folder, 'keyed.yaml'), stringify({ ...keyed, openapi: 'keyed-api.json' }))
      await writeFile(join(folder, 'keyed-api.json'), JSON.stringify(createOpenapi(server.url)))
      return folder
    },
  }
}
