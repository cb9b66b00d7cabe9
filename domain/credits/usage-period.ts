import { z } from 'zod'

const dayMs = 86_400_000
const longestDays = 366

const moment = z.iso
  .datetime({ offset: true, abort: true })
  .transform((text) => new Date(text))
  .optional()
  .meta({ override: { type: 'string', format: 'date-time' } })

/** The `from` and `to` of a usage query. */
export const periodQuery = { from: moment, to: moment }

type RequestedPeriod = { from?: Date | undefined; to?: Date | undefined }

/** Resolves the period of a usage query. Default: from the start of the current UTC month until now. */
export function resolvePeriod({ from, to }: RequestedPeriod, now: Date): { from: Date; to: Date } {
  return {
    from: from ?? new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())),
    to: to ?? now,
  }
}

/** Why a period cannot be shown, as the rest of a sentence about `from`. */
export function periodFault(given: RequestedPeriod, now: Date): string | undefined {
  const { from, to } = resolvePeriod(given, now)
  if (from >= to) return 'must be before to'
  return to.getTime() - from.getTime() > longestDays * dayMs
    ? `must be at most ${longestDays} days before to`
    : undefined
}

export const usageBuckets = ['hour', 'day', 'week'] as const
export type UsageBucket = (typeof usageBuckets)[number]

/** Hours up to two days, days up to ninety, weeks beyond. */
export function chooseBucket({ from, to }: { from: Date; to: Date }): UsageBucket {
  const days = (to.getTime() - from.getTime()) / dayMs
  return days <= 2 ? 'hour' : days <= 90 ? 'day' : 'week'
}
