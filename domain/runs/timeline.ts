import { z } from 'zod'
import { listedRunSchema } from './listed-run.ts'

const time = z.iso.datetime()

export const entryKinds = ['wait', 'step', 'attempt', 'tool', 'commit'] as const
export const entryStatuses = ['waiting', 'running', 'completed', 'failed', 'lost', 'cancelled'] as const

/** One bar of a run's timeline. `parentId` names the entry that it happened in. */
export const timelineEntrySchema = z
  .object({
    id: z.string(),
    parentId: z.string().nullable(),
    kind: z.enum(entryKinds),
    name: z.string(),
    status: z.enum(entryStatuses),
    startedAt: time.nullable(),
    endedAt: time.nullable(),
    durationMs: z.int().nullable(),
    attempt: z.int().nullable(),
    error: z.object({ name: z.string(), message: z.string() }).nullable(),
    model: z
      .object({
        modelId: z.string(),
        finishReason: z.string().nullable(),
        inputTokens: z.int(),
        cachedInputTokens: z.int(),
        outputTokens: z.int(),
        costUsd: z.string().nullable(),
      })
      .nullable(),
    input: z.string().nullable(),
    output: z.string().nullable(),
  })
  .meta({ id: 'TimelineEntry' })

export const timelineSchema = z.object({
  run: listedRunSchema,
  job: z
    .object({
      payload: z.unknown(),
      output: z.unknown(),
      metadata: z.record(z.string(), z.unknown()).nullable(),
      version: z.string(),
    })
    .nullable(),
  entries: z.array(timelineEntrySchema),
  isTruncated: z.boolean(),
  keptUntil: time.nullable(),
  isExpired: z.boolean(),
})

export type TimelineEntry = z.output<typeof timelineEntrySchema>
export type Timeline = z.output<typeof timelineSchema>
