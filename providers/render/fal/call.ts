import { createFalClient } from '@fal-ai/client'
import { cappedFetch } from '../../capped-fetch.ts'
import { explainResponse, explainConnectionError } from './errors.ts'

export type FalOptions = {
  /** API key in the form `id:secret`. */
  key: string
  /** Model that generates music. It has the input of ACE-Step. */
  musicModel: string
  /** Model or workflow that generates clips from the fields of `buildInput`; undefined if clips are not supported. */
  videoModel: string | undefined
  /** URLs of the vendor, for a deployment behind a gateway. */
  urls?: Partial<FalUrls> | undefined
}

export type FalUrls = { queue: string; platform: string; keys: string }

export const falUrls: FalUrls = {
  queue: 'https://queue.fal.run',
  platform: 'https://api.fal.ai/v1',
  keys: 'https://rest.fal.ai/.well-known/jwks.json',
}

const callTimeoutMs = 60_000

/**
 * Sends a request. Throws a `ProviderError` unless it succeeds. The vendor's library retries only its own errors, so it does
 * not retry these.
 */
export async function callFal(url: string, init: RequestInit = {}): Promise<Response> {
  const timeoutSignal = AbortSignal.timeout(callTimeoutMs)
  const callerSignal = init.signal ?? undefined
  let response: Response
  try {
    response = await cappedFetch(url, {
      ...init,
      signal: callerSignal === undefined ? timeoutSignal : AbortSignal.any([callerSignal, timeoutSignal]),
    })
  } catch (error) {
    callerSignal?.throwIfAborted()
    throw explainConnectionError(error)
  }
  if (response.ok) return response
  await response.body?.cancel()
  throw explainResponse(response)
}

/** Creates the vendor's client, which sends all requests with `callFal`. */
export function openFal({ key, urls }: FalOptions) {
  const { queue } = { ...falUrls, ...urls }
  const fetch = (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input)
    return callFal(url.replace(falUrls.queue, queue), init)
  }
  return createFalClient({ credentials: key, suppressLocalCredentialsWarning: true, fetch })
}
