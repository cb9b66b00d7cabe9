import { z } from 'zod'
import { withoutTrailingSlashes } from '../../../domain/fields/addresses.ts'
import type { ProviderCall } from '../../call.ts'
import { ProviderError, type ProviderErrorKind } from '../../errors/provider-error.ts'
import { withRetries, type Clock } from '../../retry.ts'
import { sendRequest, parseResponse, type SpotifyResponse } from './http.ts'
import { createPause } from './pause.ts'
import type { Token } from './token.ts'

type Query = Record<string, string>

type Client = {
  /** Reads a resource. Retries until the deadline of the call; the `code` of an error is the HTTP status. */
  read: <Shape>(path: string, query: Query, schema: z.ZodType<Shape>, call: ProviderCall) => Promise<Shape>
}

const errorResponse = z.object({ error: z.object({ message: z.string() }) })

/** Creates a client of the Web API. A rejected token is renewed once per request. */
export function createClient({ apiUrl, token, clock }: { apiUrl: string; token: Token; clock: Clock }): Client {
  const root = `${withoutTrailingSlashes(apiUrl)}/v1`
  const runUnlessPaused = createPause(clock)

  /** Returns the response and the token of its request. */
  const sendWithRetry = async (
    url: string,
    requestId: string,
    signal: AbortSignal,
  ): Promise<[SpotifyResponse, string]> => {
    const sendWithToken = async (text: string): Promise<[SpotifyResponse, string]> => {
      const headers = { authorization: `Bearer ${text}`, 'x-request-id': requestId }
      return [await sendRequest(url, { method: 'GET', headers, signal }), text]
    }
    const [response, usedToken] = await sendWithToken(await token.read())
    if (response.status !== 401) return [response, usedToken]
    token.reject(usedToken)
    return sendWithToken(await token.read())
  }

  return {
    read: (path, query, schema, call) => {
      const url = `${root}/${path}?${new URLSearchParams(query).toString()}`
      return withRetries(call, clock, (signal) =>
        runUnlessPaused(async () => {
          const [response, usedToken] = await sendWithRetry(url, call.requestId, signal)
          if (response.status !== 200) throw toProviderError(response, usedToken)
          const shape = parseResponse(schema, response)
          if (shape === undefined) throw new ProviderError('unavailable', `unexpected response of Spotify for ${path}`)
          return shape
        }),
      )
    },
  }
}

function toProviderError(response: SpotifyResponse, token: string): ProviderError {
  const { status, retryAfterSeconds } = response
  const message = parseResponse(errorResponse, response)?.error.message ?? ''
  const line = message.replaceAll(token, '***').replaceAll(/\s+/g, ' ').slice(0, 200)
  return new ProviderError(toErrorKind(status, message), `Spotify responded with status ${status}: ${line}`, {
    code: String(status),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })
}

function toErrorKind(status: number, message: string): ProviderErrorKind {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 404) return 'not_found'
  if (status === 429) return 'rate_limited'
  if (status < 400 || status >= 500) return 'unavailable'
  // A malformed id is reported as an unknown id.
  return /\bid\b/i.test(message) ? 'not_found' : 'invalid'
}
