import { toString as describeCron } from 'cronstrue'

/** Describes a cron expression; returns an error text if it is invalid. */
export function describeSchedule(schedule: string): string {
  return describeCron(schedule, { throwExceptionOnParseError: false })
}
