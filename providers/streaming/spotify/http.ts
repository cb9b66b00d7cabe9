import { request } from 'undici'
import type { z } from 'zod'
import { parseJson } from '../../../domain/fields/json.ts'
import { readCapped } from '../../capped.ts'
import { ProviderError } from '../../fault.ts'
import { retryAfterSeconds } from '../../retry.ts'

const maxBytes = 10 * 1024 * 1024
/** Twenty albums name the nearly 200 markets of each of their tracks. */
const maxValues = 1_000_000

type Question = { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string; signal: AbortSignal }

export type SpotifyResponse = { status: number; retryAfterSeconds: number | undefined; text: string }

/**
 * One request and its whole answer, whatever its status; redirects are not followed. `unavailable` where no answer comes
 * whole, or it has more than 10 MB. The fault repeats nothing that was sent.
 */
export async function ask(url: string, question: Question): Promise<SpotifyResponse> {
  try {
    const { statusCode, headers, body } = await request(url, question)
    const text = await readCapped(body as AsyncIterable<Buffer>, maxBytes)
    return { status: statusCode, retryAfterSeconds: retryAfterSeconds([headers['retry-after']].flat()[0]), text }
  } catch (error) {
    throw new ProviderError('unavailable', `Spotify gave no whole answer: ${readErrorCode(error)}`)
  }
}

/** The answer in the shape that it must have; undefined where it has another. */
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
