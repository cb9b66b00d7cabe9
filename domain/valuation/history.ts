import { z } from 'zod'
import { streamsSchema } from '../measurements/streams.ts'
import { toBandResponse, bandSchema, type Band } from './band.ts'
import { toWire } from '../wire.ts'

/** One row of a catalog's valuation history. */
export type Valuation = Band & { measuredSongCount: number; totalStreams: bigint; measuredAt: Date }

export const valuationSchema = bandSchema
  .extend({ measured_song_count: z.int(), total_streams: streamsSchema, measured_at: z.iso.datetime() })
  .meta({ id: 'Valuation', description: 'A band in USD, and what it was derived from.' })

export function toValuationResponse(valuation: Valuation): z.output<typeof valuationSchema> {
  const totalStreams = Number(valuation.totalStreams)
  return toWire(valuationSchema, { ...valuation, ...toBandResponse(valuation), totalStreams })
}
