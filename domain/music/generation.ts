import { z } from 'zod'
import type { RenderLog } from '../renders.ts'
import type { MusicParameters } from './request.ts'
import { maxListedLogs, musicFailureTexts, musicStatuses, type MusicFailure, type MusicStatus } from './states.ts'
import { successOf } from '../fields/fields.ts'
import { toWire } from '../wire.ts'

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

/** Responses of the routes. */
export const musicResponses = {
  accepted: successOf({ generation: generationSchema }),
  list: successOf({ generations: z.array(generationSchema) }),
  one: successOf({ generation: generationSchema, logs: z.array(generationLogSchema) }),
}

/** Converts a generation to its response. `audioUrl`: public URL of the track. Fields of other statuses are null. */
export function toGenerationResponse(
  generation: Generation,
  audioUrl: string | null,
): z.output<typeof generationSchema> {
  const { status, durationSeconds, errorMessage } = generation
  const isCompleted = status === 'completed'
  return toWire(generationSchema, {
    ...generation,
    durationSeconds: isCompleted ? durationSeconds : null,
    audioUrl: isCompleted ? audioUrl : null,
    errorMessage: status === 'failed' ? errorMessage : null,
  })
}

export function showLogs(logs: readonly RenderLog[]): z.output<typeof generationLogSchema>[] {
  return logs.slice(-maxListedLogs).map(({ at, message }) => ({ at: at.toISOString(), message }))
}
