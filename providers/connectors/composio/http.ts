import type { z } from 'zod'
import { withoutTrailingSlashes } from '../../../domain/fields/addresses.ts'
import { parseJson } from '../../../domain/fields/json.ts'
import { runUntilDeadline, type ProviderCall } from '../../call.ts'
import { cappedFetch } from '../../capped-fetch.ts'
import { ProviderError, type ProviderErrorKind } from '../../fault.ts'
import { retryAfterSeconds } from '../../retry.ts'

type ComposioRequest = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  query?: Record<string, string | undefined>
  body?: unknown
}

export type AskComposio = <T>(request: ComposioRequest, shape: z.ZodType<T>, call: ProviderCall) => Promise<T>

/** Schemas of a thousand tools. */
const maxValues = 2_000_000

/** One request to the API. What has no answer in the right shape is `unavailable`, what is late `timeout`. */
export function createAsk({ apiUrl, apiKey }: { apiUrl: string; apiKey: string }): AskComposio {
  return ({ method, path, query = {}, body }, shape, call) =>
    runUntilDeadline(call, async (signal) => {
      const url = new URL(`${withoutTrailingSlashes(apiUrl)}/api/v3.1${path}`)
      for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
      const { status, headers, text } = await sendRequest(url, {
        method,
        headers: { 'x-api-key': apiKey, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal,
      })
      if (status >= 400) throw toFault(status, headers)
      const parsed = shape.safeParse(tryParseJson(text))
      if (!parsed.success) throw new ProviderError('unavailable', `Composio answered ${path} in another shape`)
      return parsed.data
    })
}

async function sendRequest(url: URL, init: RequestInit): Promise<{ status: number; headers: Headers; text: string }> {
  try {
    const answer = await cappedFetch(url, init)
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  } catch (error) {
    throw new ProviderError('unavailable', `Composio gave no whole answer: ${error instanceof Error ? error.name : ''}`)
  }
}

function tryParseJson(text: string): unknown {
  try {
    return parseJson(text, { maxValues })
  } catch {
    return undefined
  }
}

function toFault(status: number, headers: Headers): ProviderError {
  const seconds = retryAfterSeconds(headers.get('retry-after') ?? undefined)
  return new ProviderError(toFaultKind(status), `Composio responded with status ${status}`, {
    code: String(status),
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
  })
}

function toFaultKind(status: number): ProviderErrorKind {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 404 || status === 410) return 'not_found'
  if (status === 429) return 'rate_limited'
  return status < 500 ? 'invalid' : 'unavailable'
}
