import { z } from 'zod'
import { text, uuid } from '../fields/fields.ts'
import { pageQuery } from '../fields/pages.ts'
import type { MusicRender } from '../renders.ts'
import { musicStatuses } from './states.ts'

/** Body of `POST /api/music`. `duration` is in seconds. */
export const musicRequestSchema = z.object({
  prompt: text(1, 2000),
  lyrics: text(1, 10_000),
  duration: z.number().min(10).max(300).default(60),
  seed: z
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .optional(),
  num_inference_steps: z.int().min(1).max(100).default(30),
  guidance_scale: z.number().min(0).max(20).default(1.7),
  account_id: uuid.optional(),
})
export type MusicRequest = z.output<typeof musicRequestSchema>

/** Query of `GET /api/music`. */
export const musicQuerySchema = z.object({
  account_id: uuid.optional(),
  status: z.enum(musicStatuses).optional(),
  ...pageQuery(50, 20),
})

/** Stored options of a request, besides prompt and lyrics. */
const musicParametersSchema = z.object({
  duration: z.number(),
  seed: z.int().optional(),
  num_inference_steps: z.int(),
  guidance_scale: z.number(),
})
export type MusicParameters = z.output<typeof musicParametersSchema>

export function toParameters(request: MusicRequest): MusicParameters {
  return musicParametersSchema.parse(request)
}

/** Builds the renderer's request for a generation. */
export function toRender(generation: { prompt: string; lyrics: string; parameters: MusicParameters }): MusicRender {
  const { prompt, lyrics, parameters } = generation
  const { duration, seed, num_inference_steps: steps, guidance_scale: guidance } = parameters
  return { kind: 'music', prompt, lyrics, seconds: duration, steps, guidance, ...(seed !== undefined && { seed }) }
}
