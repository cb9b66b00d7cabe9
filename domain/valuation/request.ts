import { z } from 'zod'
import { catalogSchema } from '../catalogs/catalogs.ts'
import { uuid, successOf } from '../fields/fields.ts'
import { streamingId } from '../streaming-ids.ts'
import { bandSchema } from './band.ts'
import { valuationSchema } from './history.ts'

export const valuationRequest = z.object({
  streaming_artist_id: streamingId,
  organization_id: uuid.optional(),
  account_id: uuid.optional(),
})

export const valuationResponse = successOf({
  catalog: catalogSchema,
  band: bandSchema,
  songs_measured: z.int().meta({ description: 'Tracks with a captured play count.' }),
})

export const valuationHistory = successOf({ valuations: z.array(valuationSchema) })

/** Seconds after which a client should retry a valuation whose measurement takes longer than the request. */
export const pollAgainSeconds = 15

/** Returns the reference of a snapshot's report, which is emailed only once. */
export function reportReference(snapshotId: string): string {
  return `valuation-report:${snapshotId}`
}

/** Returns the distinct album ids to measure, in order, at most `max`. */
export function releasesToMeasure(albumIds: readonly string[], max: number): string[] {
  return [...new Set(albumIds)].slice(0, max)
}
