import { createFalClient } from '@fal-ai/client'
import { cappedFetch } from '../../capped-fetch.ts'
import { explainResponse, faultOfConnection } from './faults.ts'

export type FalOptions = {
  /** `id:secret`. */
  key: string
  /** Model that makes music; its input is that of ACE-Step. */
  musicModel: string
  /** Model or workflow that makes clips of our own fields; undefined: there are none. */
  videoModel: string | undefined
  /** Addresses of the vendor, for a deployment behind a gateway. */
  urls?: Partial<FalUrls> | undefined
}

export type FalUrls = { queue: string; platform: string; keys: string }

export const falUrls: FalUrls = {
  queue: 'https://queue.fal.run',
  platform: 'https://api.fal.ai/v1',
  keys: 'https://rest.fal.ai/.well-known/jwks.json',
}

const callMs = 60_000

/**
 * One request, and a fault of the port for everything but a good answer. The vendor's library tries again on faults that it
 * knows: these are none of them.
 */
export async function callFal(url: string, init: RequestInit = {}): Promise<Response> {
  const inTime = AbortSignal.timeout(callMs)
  const given = init.signal ?? undefined
  let answer: Response
  try {
    answer = await cappedFetch(url, {
      ...init,
      signal: given === undefined ? inTime : AbortSignal.any([given, inTime]),
    })
  } catch (error) {
    given?.throwIfAborted()
    throw faultOfConnection(error)
  }
  if (answer.ok) return answer
  await answer.body?.cancel()
  throw explainResponse(answer)
}

/** The vendor's library, whose every call goes through `callFal`. */
export function openFal({ key, urls }: FalOptions) {
  const { queue } = { ...falUrls, ...urls }
  const fetch = (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input)
    return callFal(url.replace(falUrls.queue, queue), init)
  }
  return createFalClient({ credentials: key, suppressLocalCredentialsWarning: true, fetch })
}
