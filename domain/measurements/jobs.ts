import { z } from 'zod'
import type { RunError } from '../jobs/job.ts'
import { jobErrors, jobStates, type JobError, type JobState } from './states.ts'
import { successOf } from '../fields/fields.ts'
import { toWire } from '../wire.ts'

export type MeasurementJob = {
  id: string
  runId: string
  state: JobState
  albumCount: number
  measuredSongCount: number
  /** Decimal number as text. */
  estimatedCostUsd: string
  creditsCharged: number
  catalogId: string | null
  error: JobError | null
  unmeasuredAlbumIds: string[]
  createdAt: Date
  updatedAt: Date
}

/** Errors of the background run of a failed job. */
export const captureErrors: Record<JobError, RunError> = {
  provider_failed: { name: 'ProviderFailed', message: 'The provider failed' },
  no_play_counts: { name: 'NoPlayCounts', message: 'The provider found no play counts' },
  timeout: { name: 'TimeLimit', message: 'The measurement took longer than 30 minutes' },
}

/** Output of a successful background run. */
export type CaptureOutput = {
  snapshot_id: string
  state: 'done'
  songs_measured: number
  credits_charged: number
}

const source = z.literal('current')
const state = z.enum(jobStates)
const usd = z.number().min(0)

export const jobSchema = z
  .object({
    id: z.guid(),
    runId: z.string(),
    source,
    state,
    album_count: z.int(),
    measured_song_count: z.int(),
    estimated_cost_usd: usd,
    credits_charged: z.int(),
    catalog_id: z.guid().nullable(),
    error: z.enum(jobErrors).nullable(),
    unmeasured: z
      .array(z.string())
      .meta({ description: 'Ids of the albums without a result; empty until the job has ended.' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'MeasurementJob' })

export function toJobResponse(job: MeasurementJob): z.output<typeof jobSchema> {
  const { estimatedCostUsd, unmeasuredAlbumIds: unmeasured } = job
  return toWire(jobSchema, { ...job, source: 'current', estimatedCostUsd: Number(estimatedCostUsd), unmeasured })
}

export const jobResponses = {
  accepted: successOf({
    source,
    id: z.guid(),
    runId: z.string(),
    state,
    album_count: z.int(),
    estimated_cost_usd: usd,
    credits: z.int(),
    reused: z.boolean(),
  }),
  one: successOf({ job: jobSchema }),
  list: successOf({ jobs: z.array(jobSchema) }),
}
