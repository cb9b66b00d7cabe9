import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Provider } from 'oidc-provider'
import { sendJson } from '../http.ts'

export const oidcSettings = {
  CONNECTOR_CLIENT_STUDIO_ID: 'backline',
  CONNECTOR_CLIENT_STUDIO_SECRET: 'a-secret-of-the-oauth-server',
}

/** Starts a real OAuth server and an API that accepts its tokens. */
export const serveOidc = async (redirectUri: string) => {
  const bookings: unknown[] = []
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(url, {
    clients: [
      {
        client_id: oidcSettings.CONNECTOR_CLIENT_STUDIO_ID,
        client_secret: oidcSettings.CONNECTOR_CLIENT_STUDIO_SECRET,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    scopes: ['openid', 'offline_access', 'bookings'],
    features: { revocation: { enabled: true } },
    pkce: { required: () => true },
    cookies: { keys: ['a key of the tests'] },
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub }) }),
    // The lifetime of an access token is below the required remaining lifetime, so each action renews the token.
    ttl: { AccessToken: 30, Grant: 3600, IdToken: 3600, Interaction: 3600, RefreshToken: 3600, Session: 3600 },
  })
  const serveOauth = provider.callback()

  const serveApi = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const bearer = (request.headers.authorization ?? '').replace('Bearer ', '')
    const token = await provider.AccessToken.find(bearer)
    if (token === undefined || !token.isValid) return sendJson(response, 401, { error: 'invalid_token' })
    if (request.method === 'GET') return sendJson(response, 200, { bookings })
    bookings.push(JSON.parse(await text(request)))
    sendJson(response, 201, { id: bookings.length })
  }

  server.on('request', (request, response) => {
    if (request.url?.startsWith('/v1/') === true) serveApi(request, response).catch(() => response.destroy())
    else serveOauth(request, response)
  })
  let renewals = 0
  provider.on('grant.success', (ctx) => {
    if (ctx.oidc.params['grant_type'] === 'refresh_token') renewals++
  })
  return {
    url,
    bookings,
    renewals: () => renewals,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
