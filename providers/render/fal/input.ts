import type { MusicRender, RenderRequest, VideoRender } from '../../../domain/renders.ts'

/** Field of our key. Models ignore unknown fields, and the vendor's list of requests shows them. */
const markMember = 'client_reference'

/** Builds the input of a model, marked with our key, because the vendor has no idempotency keys. */
export function buildInput(request: RenderRequest, key: string): Record<string, unknown> {
  return {
    ...(request.kind === 'music' ? musicInput(request) : videoInput(request)),
    [markMember]: key,
  }
}

export function readMark(input: unknown): unknown {
  return typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[markMember] : undefined
}

/** Input of ACE-Step, whose limits are narrower than those of the API. */
function musicInput({ prompt, lyrics, seconds, steps, guidance, seed }: MusicRender) {
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

function videoInput(video: VideoRender) {
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
