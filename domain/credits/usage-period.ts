import { z } from 'zod'

const dayMs = 86_400_000
const maxDays = 366

const dateTime = z.iso
  .datetime({ offset: true, abort: true })
  .transform((text) => new Date(text))
  .optional()
  .meta({ override: { type: 'string', format: 'date-time' } })

/** The `from` and `to` of a usage query. */
export const periodQuery = { from: dateTime, to: dateTime }

type RequestedPeriod = { from?: Date | undefined; to?: Date | undefined }

/** Resolves the period of a usage query. Default: from the start of the current UTC month until now. */
export function resolvePeriod({ from, to }: RequestedPeriod, now: Date): { from: Date; to: Date } {
  return {
    from: from ?? new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())),
    to: to ?? now,
  }
}

/** Returns why a period is invalid, as the rest of a sentence about `from`; undefined if it is valid. */
export function explainInvalidPeriod(period: RequestedPeriod, now: Date): string | undefined {
  const { from, to } = resolvePeriod(period, now)
  if (from >= to) return 'must be before to'
  return to.getTime() - from.getTime() > maxDays * dayMs ? `must be at most ${maxDays} days before to` : undefined
}

export const usageBuckets = ['hour', 'day', 'week'] as const
export type UsageBucket = (typeof usageBuckets)[number]

/** Returns hours for up to two days, days for up to ninety, and weeks for longer periods. */
export function chooseBucket({ from, to }: { from: Date; to: Date }): UsageBucket {
  const days = (to.getTime() - from.getTime()) / dayMs
  return days <= 2 ? 'hour' : days <= 90 ? 'day' : 'week'
}
