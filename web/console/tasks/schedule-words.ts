import { toString as inWords } from 'cronstrue'

/** A cron expression in words; the expression itself if it cannot be read. */
export function scheduleInWords(schedule: string): string {
  return inWords(schedule, { throwExceptionOnParseError: false })
}
