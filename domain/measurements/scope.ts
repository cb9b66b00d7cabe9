import { z } from 'zod'
import { isrc } from '../catalogs/isrc.ts'
import { oneRequired, uuid } from '../fields/fields.ts'
import { streamingId } from '../streaming-ids.ts'

export const streamingPlatform = 'STREAMING'

/** Measured metric: the play count that the platform shows for a track. */
export const playCountMetric = 'platform_displayed_play_count'

const scopes = ['catalog_id', 'album_ids', 'isrcs'] as const

const scope = z
  .object({
    catalog_id: uuid.optional(),
    album_ids: z.array(streamingId).min(1).max(500).optional(),
    isrcs: z.array(isrc).min(1).max(5000).optional(),
  })
  .refine((sent) => scopes.filter((name) => sent[name] !== undefined).length === 1, {
    error: 'Send exactly one of catalog_id, album_ids and isrcs',
    path: [],
  })
  .meta(oneRequired(scopes))

export type MeasurementScope = z.output<typeof scope>

export const newMeasurementJob = z.object({
  scope,
  source: z.literal('current'),
  platforms: z.array(z.literal(streamingPlatform)).min(1).default([streamingPlatform]),
  account_id: uuid.optional(),
})

/** Maximum age of a successful or running job that is reused for the same set of albums. */
export const reuseWindowMs = 60 * 60 * 1000

/**
 * Returns a canonical text of a set of albums and platforms, independent of order and duplicates. Its hash identifies equal
 * jobs.
 */
export function albumSet(albumIds: readonly string[], platforms: readonly string[] = [streamingPlatform]): string {
  return [platforms, albumIds].map((ids) => [...new Set(ids)].sort().join(',')).join(' ')
}
