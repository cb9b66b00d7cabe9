import { z } from 'zod'

/** What all accounts of the deployment do and did, for the operator. */
export const activitySchema = z.object({
  since: z.iso.datetime(),
  live: z.array(z.object({ kind: z.string(), waiting: z.int(), running: z.int(), oldestSeconds: z.number() })),
  failures: z.array(
    z.object({ kind: z.string(), error: z.string(), count: z.int(), lastAt: z.iso.datetime(), lastRunId: z.string() }),
  ),
  spend: z.array(z.object({ day: z.iso.date(), credits: z.int() })),
})

const dayMs = 24 * 60 * 60 * 1000

/** Start of the UTC day that is `days - 1` days before today. */
export function startOfPeriod(days: number, now: Date): Date {
  return new Date(Math.floor(now.getTime() / dayMs - days + 1) * dayMs)
}
