import * as oauth from 'openid-client'
import { EgressError, type EgressPort } from '../../egress/index.ts'
import { ProviderError } from '../../errors/provider-error.ts'
import type { Description } from './description.ts'

export type Tokens = { accessToken: string; refreshToken?: string; expiresAt?: number }

/** `accountName`: account of the person at the service, from the ID token; null without an ID token. */
type NewTokens = Tokens & { accountName: string | null }

/** Client of the authorization server of a description. */
export type Authorization = {
  /** Returns the consent URL and the PKCE verifier for the code exchange. */
  begin(callbackUrl: string, state: string): Promise<{ redirectUrl: string; verifier: string }>
  /** Exchanges the code in the returned query for tokens. */
  finish(callbackUrl: string, returned: URLSearchParams, verifier: string): Promise<NewTokens>
  /** Refreshes the tokens. Throws `declined` if the person must grant access again. */
  refresh(tokens: Tokens & { refreshToken: string }): Promise<Tokens>
  /** Revokes the tokens. Returns false if the server has no revocation endpoint. */
  revoke(tokens: Tokens): Promise<boolean>
}

export type AuthorizationOptions = { egress: EgressPort; allowPrivate: boolean }

const timeoutMs = 10_000
const maxBytes = 1_000_000
const metadataLifetimeMs = 3_600_000

export function createAuthorization(description: Description, options: AuthorizationOptions): Authorization {
  const { authorization } = description
  let cached: { configuration: Promise<oauth.Configuration>; until: number } | undefined

  const loadConfiguration = (): Promise<oauth.Configuration> => {
    if (cached !== undefined && cached.until > Date.now()) return cached.configuration
    const loading = configure(description, options)
    cached = { configuration: loading, until: Date.now() + metadataLifetimeMs }
    loading.catch(() => (cached = undefined))
    return loading
  }

  const withConfiguration = async <T>(send: (configuration: oauth.Configuration) => Promise<T>): Promise<T> => {
    try {
      return await send(await loadConfiguration())
    } catch (error) {
      throw toProviderError(error)
    }
  }

  return {
    begin: (callbackUrl, state) =>
      withConfiguration(async (configuration) => {
        const verifier = oauth.randomPKCECodeVerifier()
        const url = oauth.buildAuthorizationUrl(configuration, {
          ...authorization.parameters,
          redirect_uri: callbackUrl,
          ...(authorization.scopes.length > 0 && { scope: authorization.scopes.join(' ') }),
          state,
          code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        })
        return { redirectUrl: url.href, verifier }
      }),
    finish: (callbackUrl, returned, verifier) =>
      withConfiguration(async (configuration) => {
        const url = new URL(callbackUrl)
        for (const [name, value] of returned)
          // Without an issuer in the description, the library cannot verify `iss`.
          if (name !== 'iss' || authorization.issuer !== undefined) url.searchParams.set(name, value)
        const expectedState = returned.get('state') ?? ''
        const checks = { pkceCodeVerifier: verifier, expectedState }
        const granted = await oauth.authorizationCodeGrant(configuration, url, checks)
        const claims = granted.claims()
        const names = ['email', 'preferred_username', 'name', 'sub'].map((claim) => toDisplayName(claims?.[claim]))
        return { ...toTokens(granted), accountName: names.find((name) => name !== null) ?? null }
      }),
    refresh: ({ refreshToken }) =>
      withConfiguration(async (configuration) => {
        const renewed = toTokens(await oauth.refreshTokenGrant(configuration, refreshToken))
        return { ...renewed, refreshToken: renewed.refreshToken ?? refreshToken }
      }),
    revoke: (tokens) =>
      withConfiguration(async (configuration) => {
        if (configuration.serverMetadata().revocation_endpoint === undefined) return false
        await oauth.tokenRevocation(configuration, tokens.refreshToken ?? tokens.accessToken)
        return true
      }),
  }
}

async function configure(
  { client, authorization }: Description,
  { egress, allowPrivate }: AuthorizationOptions,
): Promise<oauth.Configuration> {
  const fetch = guardedFetch(egress, allowPrivate)
  const authentication = toClientAuth(client)
  const { issuer, authorizationEndpoint, tokenEndpoint, revocationEndpoint } = authorization
  const insecure = allowPrivate ? [oauth.allowInsecureRequests] : []
  if (tokenEndpoint === undefined)
    return oauth.discovery(new URL(issuer ?? ''), client.id, undefined, authentication, {
      [oauth.customFetch]: fetch,
      execute: insecure,
      timeout: timeoutMs / 1000,
    })
  const server = {
    issuer: issuer ?? new URL(tokenEndpoint).origin,
    token_endpoint: tokenEndpoint,
    ...(authorizationEndpoint !== undefined && { authorization_endpoint: authorizationEndpoint }),
    ...(revocationEndpoint !== undefined && { revocation_endpoint: revocationEndpoint }),
  }
  const configuration = new oauth.Configuration(server, client.id, undefined, authentication)
  configuration[oauth.customFetch] = fetch
  configuration.timeout = timeoutMs / 1000
  for (const allow of insecure) allow(configuration)
  return configuration
}

function toClientAuth({ secret, authentication }: Description['client']): oauth.ClientAuth {
  if (authentication === 'none') return oauth.None()
  return authentication === 'basic' ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret)
}

/** Returns a `fetch` for the library that uses the guarded egress. It follows no redirects, which could leak secrets. */
function guardedFetch(egress: EgressPort, allowPrivate: boolean): oauth.CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const text = body instanceof URLSearchParams ? body.toString() : typeof body === 'string' ? body : undefined
    const response = await egress.send({
      url,
      method,
      headers: headers,
      timeoutMs,
      maxRedirects: 0,
      maxBytes,
      secureOnly: !allowPrivate,
      ...(text !== undefined && { body: text }),
      ...(signal && { signal }),
    })
    const responseHeaders = Object.entries(response.headers).flatMap(([name, value]) =>
      value === undefined || name === 'content-encoding' || name === 'content-length'
        ? []
        : [[name, [value].flat().join(', ')] as [string, string]],
    )
    const isEmpty = response.status === 204 || response.status === 304
    return new Response(isEmpty ? null : Buffer.from(response.body), {
      status: response.status,
      headers: responseHeaders,
    })
  }
}

function toTokens(granted: Awaited<ReturnType<typeof oauth.refreshTokenGrant>>): Tokens {
  const seconds = granted.expiresIn()
  return {
    accessToken: granted.access_token,
    ...(granted.refresh_token !== undefined && { refreshToken: granted.refresh_token }),
    ...(seconds !== undefined && { expiresAt: Date.now() + seconds * 1000 }),
  }
}

/** Maps errors of the library to fixed messages, because the original messages may contain the request. */
function toProviderError(error: unknown): ProviderError {
  const cause = error instanceof Error ? error.cause : undefined
  if (error instanceof ProviderError) return error
  if (error instanceof oauth.AuthorizationResponseError)
    return new ProviderError('declined', 'the person or the authorization server denied the grant')
  if (error instanceof oauth.ResponseBodyError)
    return error.error === 'invalid_grant'
      ? new ProviderError('declined', 'the authorization server rejected the grant', { code: 'invalid_grant' })
      : new ProviderError('unauthorized', `the authorization server responded with status ${error.status}`)
  if (error instanceof EgressError || cause instanceof EgressError)
    return new ProviderError('unavailable', 'the authorization server did not respond')
  return new ProviderError('unavailable', 'the authorization server returned an invalid response')
}

const maxNameLength = 200

/** Returns a name from a service without control characters; null if the value is empty or not a string. */
export function toDisplayName(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = value.replaceAll(/\p{C}/gu, '').trim().slice(0, maxNameLength)
  return text === '' ? null : text
}
