import { z } from 'zod'

const liveWork = z.object({
  kind: z.string().meta({ description: '`turn`, or the kind of a job.' }),
  waiting: z.int(),
  running: z.int(),
  oldestSeconds: z.number(),
})

const failureGroup = z.object({
  kind: z.string().meta({ description: '`turn`, or the kind of a job.' }),
  error: z.string().meta({ description: 'First 200 characters of the error, with `…` in place of ids.' }),
  count: z.int(),
  lastAt: z.iso.datetime().meta({ description: 'Time of the last failure.' }),
  lastRunId: z.string().meta({ description: 'Run id of the last failure.' }),
})

const dailySpend = z.object({
  day: z.iso.date().meta({ description: 'Day in UTC.' }),
  credits: z.int().meta({ description: 'Charges of all accounts, less refunds.' }),
})

/** Current and recent work of all accounts of the deployment, for the operator. */
export const activitySchema = z.object({
  since: z.iso.datetime().meta({ description: 'Start of the period.' }),
  live: z.array(liveWork).meta({ description: 'Turns and jobs that have not ended, by kind.' }),
  failures: z.array(failureGroup).meta({ description: 'Failed turns and jobs of the period, by kind and error.' }),
  spend: z.array(dailySpend).meta({ description: 'Credits spent in the period, by day.' }),
})

const dayMs = 24 * 60 * 60 * 1000

/** Returns the start of the UTC day that is `days - 1` days before today. */
export function startOfPeriod(days: number, now: Date): Date {
  return new Date(Math.floor(now.getTime() / dayMs - days + 1) * dayMs)
}
