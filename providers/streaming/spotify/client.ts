import { z } from 'zod'
import { withoutTrailingSlashes } from '../../../domain/fields/addresses.ts'
import type { ProviderCall } from '../../call.ts'
import { ProviderError, type ProviderErrorKind } from '../../fault.ts'
import { withRetries, type Clock } from '../../retry.ts'
import { ask, parseResponse, type SpotifyResponse } from './http.ts'
import { createPause } from './pause.ts'
import type { Token } from './token.ts'

type Query = Record<string, string>

type Client = {
  /** A resource in its shape. Repeats what may help within the call's time; the `code` of a fault is the status. */
  read: <Shape>(path: string, query: Query, schema: z.ZodType<Shape>, call: ProviderCall) => Promise<Shape>
}

const refusal = z.object({ error: z.object({ message: z.string() }) })

/** The Web API at an address. A token that is refused is renewed once a request. */
export function createClient({ apiUrl, token, clock }: { apiUrl: string; token: Token; clock: Clock }): Client {
  const root = `${withoutTrailingSlashes(apiUrl)}/v1`
  const pausing = createPause(clock)

  /** Returns the response and the token of its request. */
  const sendWithRetry = async (
    url: string,
    requestId: string,
    signal: AbortSignal,
  ): Promise<[SpotifyResponse, string]> => {
    const sendWith = async (text: string): Promise<[SpotifyResponse, string]> => {
      const headers = { authorization: `Bearer ${text}`, 'x-request-id': requestId }
      return [await ask(url, { method: 'GET', headers, signal }), text]
    }
    const [answer, used] = await sendWith(await token.read())
    if (answer.status !== 401) return [answer, used]
    token.refuse(used)
    return sendWith(await token.read())
  }

  return {
    read: (path, query, schema, call) => {
      const url = `${root}/${path}?${new URLSearchParams(query).toString()}`
      return withRetries(call, clock, (signal) =>
        pausing(async () => {
          const [answer, used] = await sendWithRetry(url, call.requestId, signal)
          if (answer.status !== 200) throw toFault(answer, used)
          const shape = parseResponse(schema, answer)
          if (shape === undefined) throw new ProviderError('unavailable', `Spotify answered ${path} in another shape`)
          return shape
        }),
      )
    },
  }
}

function toFault(answer: SpotifyResponse, token: string): ProviderError {
  const { status, retryAfterSeconds } = answer
  const message = parseResponse(refusal, answer)?.error.message ?? ''
  const line = message.replaceAll(token, '***').replaceAll(/\s+/g, ' ').slice(0, 200)
  return new ProviderError(toFaultKind(status, message), `Spotify answered ${status}: ${line}`, {
    code: String(status),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })
}

function toFaultKind(status: number, message: string): ProviderErrorKind {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 404) return 'not_found'
  if (status === 429) return 'rate_limited'
  if (status < 400 || status >= 500) return 'unavailable'
  // An id that is malformed is one of nothing.
  return /\bid\b/i.test(message) ? 'not_found' : 'invalid'
}
