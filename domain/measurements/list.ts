import { z } from 'zod'
import { songPagination } from '../catalogs/songs.ts'
import { uuid, successOf } from '../fields/fields.ts'
import { toBandResponse, bandSchema, type Band } from '../valuation/band.ts'
import { streamsSchema } from './streams.ts'
import { numberedQuery } from '../fields/pages.ts'
import { toWire } from '../wire.ts'

/** Latest count of a song. `before` is the latest count at an earlier time, or null if there was none. */
export type LatestMeasurement = {
  isrc: string
  title: string | null
  playCount: number
  measuredAt: Date
  before?: number | null
}

/** Sums over all songs of the scope, independent of the page. */
export type MeasuredScope = {
  artistId: string | null
  measuredSongCount: number
  totalStreams: bigint
  ageYears: number
  /** Null if no song is measured. */
  valuation: Band | null
}

export const measurementQuery = z.object({
  account_id: uuid.optional(),
  artist_account_id: uuid.optional(),
  since: z.iso
    .datetime({ offset: true })
    .transform((text) => new Date(text))
    .optional()
    .meta({ description: 'Adds the plays that each song has gained since its latest count at this time.' }),
  ...numberedQuery(50),
})

const measurementSchema = z
  .object({
    isrc: z.string(),
    title: z.string().nullable(),
    playcount: z.int(),
    measured_at: z.iso.datetime(),
    plays_gained: z.int().nullable().optional().meta({
      description:
        'Only with `since`: plays gained; negative if the platform corrected its count, null without an earlier count.',
    }),
  })
  .meta({ id: 'Measurement' })

export function toMeasurementResponse(song: LatestMeasurement): z.output<typeof measurementSchema> {
  const { playCount: playcount, before } = song
  return toWire(measurementSchema, {
    ...song,
    playcount,
    playsGained: before === undefined || before === null ? before : playcount - before,
  })
}

export const measurementPage = successOf({
  measurements: z.array(measurementSchema),
  pagination: songPagination,
  measured_song_count: z.int(),
  total_streams: streamsSchema,
  catalog_age_years: z.int(),
  valuation: bandSchema.nullable(),
  artist_account_id: z.guid().nullable(),
})

/** Returns the fields of a page that describe all songs of the scope. */
export function toScopeResponse(scope: MeasuredScope) {
  return {
    measured_song_count: scope.measuredSongCount,
    total_streams: Number(scope.totalStreams),
    catalog_age_years: scope.ageYears,
    valuation: scope.valuation && toBandResponse(scope.valuation),
    artist_account_id: scope.artistId,
  }
}
