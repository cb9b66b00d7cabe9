import { z } from 'zod'
import { catalogSchema } from '../catalogs/catalogs.ts'
import { uuid } from '../fields/fields.ts'
import { streamingId } from '../streaming-ids.ts'
import { bandSchema } from './band.ts'
import { valuationSchema } from './history.ts'

export const valuationRequest = z.object({
  streaming_artist_id: streamingId,
  organization_id: uuid.optional(),
  account_id: uuid.optional(),
})

export const valuationResponse = z.object({
  status: z.literal('success'),
  catalog: catalogSchema,
  band: bandSchema,
  songs_measured: z.int().meta({ description: 'Tracks with a captured play count.' }),
})

export const valuationHistory = z.object({ status: z.literal('success'), valuations: z.array(valuationSchema) })

/** Seconds after which to ask again for a valuation whose measurement outlasts the request. */
export const pollAgainSeconds = 15

/** Key of a snapshot's report, which is emailed once however often the snapshot is valued. */
export function reportReference(snapshotId: string): string {
  return `valuation-report:${snapshotId}`
}

/** Album ids to measure: of all pages in the order received, each once, at most `max`. */
export function releasesToMeasure(albumIds: readonly string[], max: number): string[] {
  return [...new Set(albumIds)].slice(0, max)
}
