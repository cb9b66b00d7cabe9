import type { z } from 'zod'
import { withoutTrailingSlashes } from '../../../domain/fields/addresses.ts'
import { parseJson } from '../../../domain/fields/json.ts'
import { runUntilDeadline, type ProviderCall } from '../../call.ts'
import { cappedFetch } from '../../capped-fetch.ts'
import { ProviderError, type ProviderErrorKind } from '../../errors/provider-error.ts'
import { retryAfterSeconds } from '../../retry.ts'

type ComposioRequest = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  query?: Record<string, string | undefined>
  body?: unknown
}

export type SendComposioRequest = <T>(request: ComposioRequest, shape: z.ZodType<T>, call: ProviderCall) => Promise<T>

/** Maximum number of JSON values in a response, which can contain the schemas of a thousand tools. */
const maxValues = 2_000_000

/** Returns a function that sends an API request. Throws `unavailable` for an unexpected response, `timeout` at the deadline. */
export function createComposioClient({ apiUrl, apiKey }: { apiUrl: string; apiKey: string }): SendComposioRequest {
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
      if (status >= 400) throw toProviderError(status, headers)
      const parsed = shape.safeParse(tryParseJson(text))
      if (!parsed.success) throw new ProviderError('unavailable', `unexpected response of Composio for ${path}`)
      return parsed.data
    })
}

async function sendRequest(url: URL, init: RequestInit): Promise<{ status: number; headers: Headers; text: string }> {
  try {
    const response = await cappedFetch(url, init)
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    throw new ProviderError(
      'unavailable',
      `Composio did not return a complete response: ${error instanceof Error ? error.name : ''}`,
    )
  }
}

function tryParseJson(text: string): unknown {
  try {
    return parseJson(text, { maxValues })
  } catch {
    return undefined
  }
}

function toProviderError(status: number, headers: Headers): ProviderError {
  const seconds = retryAfterSeconds(headers.get('retry-after') ?? undefined)
  return new ProviderError(toErrorKind(status), `Composio responded with status ${status}`, {
    code: String(status),
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
  })
}

function toErrorKind(status: number): ProviderErrorKind {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 404 || status === 410) return 'not_found'
  if (status === 429) return 'rate_limited'
  return status < 500 ? 'invalid' : 'unavailable'
}
