import { z } from 'zod'
import type { RenderLog } from '../renders.ts'
import type { MusicParameters } from './request.ts'
import { maxListedLogs, musicFailureTexts, musicStatuses, type MusicFailure, type MusicStatus } from './states.ts'

type MusicFailureText = (typeof musicFailureTexts)[MusicFailure]

/** A stored generation. */
export type Generation = {
  id: string
  accountId: string
  runId: string
  status: MusicStatus
  model: string
  prompt: string
  lyrics: string
  parameters: MusicParameters
  /** Duration of the track; null until it is completed. */
  durationSeconds: number | null
  storageKey: string | null
  /** Whether the request may have been sent to the renderer. */
  isRequested: boolean
  providerRequestId: string | null
  errorMessage: MusicFailureText | null
  createdAt: Date
  updatedAt: Date
}

export const generationSchema = z
  .object({
    id: z.uuid(),
    status: z.enum(musicStatuses),
    prompt: z.string(),
    lyrics: z.string(),
    model: z.string(),
    duration_seconds: z.number().nullable(),
    audio_url: z.url().nullable(),
    error_message: z.enum(Object.values(musicFailureTexts)).nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'MusicGeneration' })

const generationLogSchema = z.object({ at: z.iso.datetime(), message: z.string() })

const success = z.literal('success')

/** Responses of the routes. */
export const musicResponses = {
  accepted: z.object({ status: success, generation: generationSchema }),
  list: z.object({ status: success, generations: z.array(generationSchema) }),
  one: z.object({ status: success, generation: generationSchema, logs: z.array(generationLogSchema) }),
}

/** Converts a generation to its response. `audioUrl`: public URL of the track. Fields of other statuses are null. */
export function toGenerationResponse(
  generation: Generation,
  audioUrl: string | null,
): z.output<typeof generationSchema> {
  const { id, status, prompt, lyrics, model, durationSeconds, errorMessage, createdAt, updatedAt } = generation
  const isCompleted = status === 'completed'
  return {
    id,
    status,
    prompt,
    lyrics,
    model,
    duration_seconds: isCompleted ? durationSeconds : null,
    audio_url: isCompleted ? audioUrl : null,
    error_message: status === 'failed' ? errorMessage : null,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  }
}

export function showLogs(logs: readonly RenderLog[]): z.output<typeof generationLogSchema>[] {
  return logs.slice(-maxListedLogs).map(({ at, message }) => ({ at: at.toISOString(), message }))
}
