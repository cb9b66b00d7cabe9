import { z } from 'zod'
import { withoutTrailingSlashes } from '../../../domain/fields/addresses.ts'
import { ProviderError, type ProviderErrorKind } from '../../errors/provider-error.ts'
import type { Clock } from '../../retry.ts'
import { sendRequest, parseResponse, type SpotifyResponse } from './http.ts'

export type TokenOptions = { accountsUrl: string; clientId: string; clientSecret: string }

/** Source of access tokens for the API. */
export type Token = {
  /** Returns a valid token. Throws `unauthorized` for a wrong id or secret. */
  read(): Promise<string>
  /** Discards a rejected token, so that the next read renews it. Does nothing if the token was already renewed. */
  reject(token: string): void
}

const renewalTimeoutMs = 10_000

const grantSchema = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })

/**
 * Creates tokens with the client credentials grant. All calls share a token, which is renewed after nine tenths of its
 * lifetime. Concurrent callers wait for the same request, which none of them can abort.
 */
export function createToken({ accountsUrl, clientId, clientSecret }: TokenOptions, clock: Clock): Token {
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  let current: { text: string; renewAt: number } | undefined
  let renewal: Promise<string> | undefined

  const renew = async (): Promise<string> => {
    const requestedAt = clock.now()
    const response = await sendRequest(`${withoutTrailingSlashes(accountsUrl)}/api/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
      signal: AbortSignal.timeout(renewalTimeoutMs),
    })
    if (response.status !== 200) throw toProviderError(response)
    const grant = parseResponse(grantSchema, response)
    if (grant === undefined) throw new ProviderError('unavailable', 'Spotify returned an unreadable token')
    current = { text: grant.access_token, renewAt: requestedAt + grant.expires_in * 900 }
    return current.text
  }

  return {
    read: () => {
      if (current !== undefined && clock.now() < current.renewAt) return Promise.resolve(current.text)
      renewal ??= renew().finally(() => {
        renewal = undefined
      })
      return renewal
    },
    reject: (token) => {
      if (current?.text === token) current = undefined
    },
  }
}

function toProviderError({ status, retryAfterSeconds }: SpotifyResponse): ProviderError {
  return new ProviderError(toErrorKind(status), `Spotify rejected the token request with status ${status}`, {
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })
}

function toErrorKind(status: number): ProviderErrorKind {
  if (status === 429) return 'rate_limited'
  return status >= 400 && status < 500 ? 'unauthorized' : 'unavailable'
}
