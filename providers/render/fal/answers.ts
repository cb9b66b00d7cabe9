import { z } from 'zod'
import type { RenderLog, RenderResult, RenderState } from '../../../domain/renders.ts'
import { ProviderError } from '../../errors/provider-error.ts'
import { recordList } from '../../records.ts'

const file = z.looseObject({
  url: z.url(),
  content_type: z.string().nullish(),
  file_size: z.number().nullish(),
  duration: z.number().nullish(),
})
const output = z.looseObject({
  audio: file.nullish(),
  audio_file: file.nullish(),
  video: file.nullish(),
  seed: z.number().nullish(),
  duration: z.number().nullish(),
})

const types: Record<string, string> = { mp3: 'audio/mpeg', wav: 'audio/wav', mp4: 'video/mp4' }

/** Parses the file in the output of a model. */
export function toResult(data: unknown): RenderResult {
  const parsed = output.safeParse(data)
  const mediaFile = parsed.success ? (parsed.data.audio ?? parsed.data.audio_file ?? parsed.data.video) : undefined
  if (!parsed.success || !mediaFile) throw new ProviderError('unavailable', 'fal: the result contains no file')
  return {
    url: mediaFile.url,
    contentType: mediaFile.content_type ?? guessContentType(mediaFile.url),
    bytes: toPositive(mediaFile.file_size),
    durationSeconds: toPositive(mediaFile.duration) ?? toPositive(parsed.data.duration),
    seed: parsed.data.seed ?? null,
  }
}

const log = z.looseObject({ message: z.string(), timestamp: z.string().nullish() })
const status = z.looseObject({
  status: z.enum(['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED']),
  logs: recordList('fal logs', log).nullish(),
  error: z.unknown().optional(),
})
const maxLogs = 200

const states = { IN_QUEUE: 'queued', IN_PROGRESS: 'running', COMPLETED: 'completed' } as const

/** Converts the status of a request. A failed request is also `COMPLETED`, with an error. */
export function toStatus(response: unknown): { state: RenderState; logs: RenderLog[] } {
  const parsed = status.safeParse(response)
  if (!parsed.success) throw new ProviderError('unavailable', 'fal: the status is unknown')
  const { status: vendorStatus, logs, error } = parsed.data
  const hasFailed = vendorStatus === 'COMPLETED' && error !== undefined && error !== null
  return {
    state: hasFailed ? 'failed' : states[vendorStatus],
    logs: (logs ?? []).slice(-maxLogs).map(({ message, timestamp }) => {
      const at = new Date(timestamp ?? Number.NaN)
      return { at: Number.isNaN(at.getTime()) ? new Date(0) : at, message }
    }),
  }
}

const requestPage = z.looseObject({
  items: recordList('fal requests', z.looseObject({ request_id: z.string(), json_input: z.unknown().optional() })),
  next_cursor: z.string().nullish(),
  has_more: z.boolean().nullish(),
})

export function toPage(response: unknown) {
  const parsed = requestPage.safeParse(response)
  if (!parsed.success) throw new ProviderError('unavailable', 'fal: the list of requests is malformed')
  const { items, next_cursor: cursor, has_more: more } = parsed.data
  return { items, cursor: more === true && typeof cursor === 'string' ? cursor : undefined }
}

function guessContentType(url: string): string {
  return types[new URL(url).pathname.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
}

function toPositive(value: number | null | undefined): number | null {
  return value !== null && value !== undefined && Number.isFinite(value) && value > 0 ? value : null
}
