import type { MusicRender, RenderRequest, VideoRender } from '../../../domain/renders.ts'

/** Input field for the idempotency key. Models ignore unknown fields, and the vendor's list of requests includes them. */
const keyField = 'client_reference'

/** Builds the input of a model with the idempotency key, by which a retry finds the request. */
export function buildInput(request: RenderRequest, key: string): Record<string, unknown> {
  return {
    ...(request.kind === 'music' ? buildMusicInput(request) : buildVideoInput(request)),
    [keyField]: key,
  }
}

export function readClientKey(input: unknown): unknown {
  return typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[keyField] : undefined
}

/** Builds the input of ACE-Step, whose limits are narrower than the limits of the API. */
function buildMusicInput({ prompt, lyrics, seconds, steps, guidance, seed }: MusicRender) {
  return {
    tags: prompt,
    lyrics,
    duration: clamp(seconds, 5, 240),
    number_of_steps: clamp(steps, 3, 60),
    guidance_scale: guidance,
    ...(seed !== undefined && { seed }),
  }
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}

function buildVideoInput(video: VideoRender) {
  return {
    image_url: video.imageUrl,
    audio_url: video.audioUrl,
    start_seconds: video.startSeconds,
    duration_seconds: video.durationSeconds,
    caption: video.caption,
    template: video.template,
    lipsync: video.lipsync,
    upscale: video.upscale,
  }
}
