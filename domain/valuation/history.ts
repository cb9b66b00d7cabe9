import { z } from 'zod'
import { streamsSchema } from '../measurements/streams.ts'
import { toBandResponse, bandSchema, type Band } from './band.ts'

/** One row of a catalog's valuation history. */
export type Valuation = Band & { measuredSongCount: number; totalStreams: bigint; measuredAt: Date }

export const valuationSchema = bandSchema
  .extend({ measured_song_count: z.int(), total_streams: streamsSchema, measured_at: z.iso.datetime() })
  .meta({ id: 'Valuation', description: 'A band in USD, and what it was derived from.' })

export function toValuationResponse(valuation: Valuation): z.output<typeof valuationSchema> {
  return {
    ...toBandResponse(valuation),
    measured_song_count: valuation.measuredSongCount,
    total_streams: Number(valuation.totalStreams),
    measured_at: valuation.measuredAt.toISOString(),
  }
}
