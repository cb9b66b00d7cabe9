import { z } from 'zod'
import { withoutTrailingSlashes } from '../../../domain/fields/addresses.ts'
import { ProviderError, type ProviderErrorKind } from '../../fault.ts'
import type { Clock } from '../../retry.ts'
import { ask, parseResponse, type SpotifyResponse } from './http.ts'

export type TokenOptions = { accountsUrl: string; clientId: string; clientSecret: string }

/** Access token of the API. */
export type Token = {
  /** One that is good for some time yet. Throws `unauthorized` for a wrong id or secret. */
  read(): Promise<string>
  /** This one was refused: the next read renews it, unless that has happened. */
  refuse(token: string): void
}

const renewalMs = 10_000

const granted = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })

/**
 * Tokens of the client-credentials grant. One is shared by all calls and renewed after nine tenths of its life; parallel
 * callers wait for one request, which ends with none of them.
 */
export function createToken({ accountsUrl, clientId, clientSecret }: TokenOptions, clock: Clock): Token {
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  let current: { text: string; renewAt: number } | undefined
  let renewal: Promise<string> | undefined

  const renew = async (): Promise<string> => {
    const requestedAt = clock.now()
    const answer = await ask(`${withoutTrailingSlashes(accountsUrl)}/api/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
      signal: AbortSignal.timeout(renewalMs),
    })
    if (answer.status !== 200) throw toFault(answer)
    const grant = parseResponse(granted, answer)
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
    refuse: (token) => {
      if (current?.text === token) current = undefined
    },
  }
}

function toFault({ status, retryAfterSeconds }: SpotifyResponse): ProviderError {
  return new ProviderError(toFaultKind(status), `Spotify refused the token request with status ${status}`, {
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })
}

function toFaultKind(status: number): ProviderErrorKind {
  if (status === 429) return 'rate_limited'
  return status >= 400 && status < 500 ? 'unauthorized' : 'unavailable'
}
