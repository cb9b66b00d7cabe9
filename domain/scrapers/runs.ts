import { z } from 'zod'
import { socialSchema } from '../artists/socials.ts'
import { postSchema } from '../artists/posts.ts'
import { uuid, successOf } from '../fields/fields.ts'
import { numberedPagination } from '../fields/pages.ts'
import { toWire } from '../wire.ts'

const scrapeStates = ['QUEUED', 'EXECUTING', 'COMPLETED', 'FAILED'] as const
export type ScrapeState = (typeof scrapeStates)[number]

/** Error messages of a failed profile scrape. */
export const scrapeErrors = {
  provider_failed: 'The provider failed',
  timeout: 'The provider took too long',
  cancelled: 'The scrape was cancelled',
  unreadable: 'The provider answered in an unknown form',
  not_found: 'The provider found neither the profile nor a post',
} as const
export type ScrapeError = keyof typeof scrapeErrors

/** A batch, whose platform is null, or the run of one of its profiles. */
export type ScrapeRun = {
  runId: string
  datasetId: string
  batchRunId: string
  platform: string | null
  profileUrl: string | null
  state: ScrapeState
  error: string | null
  startedAt: Date | null
  finishedAt: Date | null
}

export const scrapeRequest = z.object({ artist_account_id: uuid, posts: z.int().min(1).max(100).optional() })

const startedRun = z.object({
  platform: z.string(),
  profile_url: z.string(),
  runId: z.string().nullable(),
  datasetId: z.string().nullable(),
  error: z.string().nullable(),
})

export const scrapeResponse = z.object({
  runId: z.string(),
  datasetId: z.string(),
  error: z.string().nullable(),
  runs: z.array(startedRun),
})

const runSchema = z
  .object({
    runId: z.string(),
    datasetId: z.string(),
    batch_run_id: z.string(),
    platform: z.string().nullable(),
    profile_url: z.string().nullable(),
    state: z.enum(scrapeStates),
    error: z.string().nullable(),
    started_at: z.iso.datetime().nullable(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ScraperRun' })

export const scrapeRunResponse = successOf({
  run: runSchema.extend({ runs: z.array(runSchema).optional() }),
  data: z.object({ profile: socialSchema.nullable(), posts: z.array(postSchema) }).nullable(),
  pagination: numberedPagination,
})

export function toScrapeRunResponse(run: ScrapeRun): z.output<typeof runSchema> {
  return toWire(runSchema, run)
}
