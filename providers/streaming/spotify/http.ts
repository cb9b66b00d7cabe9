import { request } from 'undici'
import type { z } from 'zod'
import { parseJson } from '../../../domain/fields/json.ts'
import { readCapped } from '../../capped.ts'
import { ProviderError } from '../../errors/provider-error.ts'
import { retryAfterSeconds } from '../../retry.ts'

const maxBytes = 10 * 1024 * 1024
/** Maximum number of JSON values. A batch of albums lists almost 200 markets for each track. */
const maxValues = 1_000_000

type SpotifyRequest = { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string; signal: AbortSignal }

export type SpotifyResponse = { status: number; retryAfterSeconds: number | undefined; text: string }

/**
 * Sends a request and returns the response with any status. Does not follow redirects. Throws `unavailable` if the response is
 * incomplete or larger than 10 MB. The error contains no data of the request.
 */
export async function sendRequest(url: string, options: SpotifyRequest): Promise<SpotifyResponse> {
  try {
    const { statusCode, headers, body } = await request(url, options)
    const text = await readCapped(body as AsyncIterable<Buffer>, maxBytes)
    return { status: statusCode, retryAfterSeconds: retryAfterSeconds([headers['retry-after']].flat()[0]), text }
  } catch (error) {
    throw new ProviderError('unavailable', `Spotify did not return a complete response: ${readErrorCode(error)}`)
  }
}

/** Parses the response; undefined if it does not match the schema. */
export function parseResponse<Shape>(schema: z.ZodType<Shape>, { text }: SpotifyResponse): Shape | undefined {
  try {
    return schema.safeParse(parseJson(text, { maxValues })).data
  } catch {
    return undefined
  }
}

function readErrorCode(error: unknown): string {
  return error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.name) : 'unknown error'
}
