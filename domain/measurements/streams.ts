import { z } from 'zod'

/** Maximum play count of a song. */
export const maxPlayCount = 10 ** 12

/** A sum of play counts in a response. A sum above 2^53 is rounded to the nearest number. */
export const streamsSchema = z
  .number()
  .min(0)
  .refine(Number.isInteger)
  .meta({ override: { type: 'integer', minimum: 0 } })
