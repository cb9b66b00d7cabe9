import { formatMinutes } from '../../../domain/fields/durations.ts'
import { creditsInWords } from '../parts/words.tsx'

type Terms = { allotment: number; taskLimit: number | null; minGapMinutes: number }

/** Name of a plan for people. */
export function planInWords(plan: string): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1)
}

/** What a plan includes, in one line. */
export function termsInWords({ allotment, taskLimit, minGapMinutes }: Terms): string {
  const tasks = taskLimit === null ? 'any number of tasks' : taskLimit === 1 ? '1 task' : `${taskLimit} tasks`
  return `${creditsInWords(allotment)} of credits a month, and ${tasks}, ${frequencyInWords(minGapMinutes)}`
}

/** How often a task may run, at most. */
export function frequencyInWords(minGapMinutes: number): string {
  const known: Record<number, string> = { 60: 'hourly', 1440: 'daily', 10_080: 'weekly' }
  return `at most ${known[minGapMinutes] ?? `once in ${formatMinutes(minGapMinutes)}`}`
}
