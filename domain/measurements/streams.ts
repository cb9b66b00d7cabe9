import { z } from 'zod'

/** The largest count that is stored of one song. */
export const maxPlayCount = 10 ** 12

/** A sum of counts on the wire: the nearest number where it is beyond 2^53. */
export const streamsSchema = z
  .number()
  .min(0)
  .refine(Number.isInteger)
  .meta({ override: { type: 'integer', minimum: 0 } })
