import { formatMinutes } from '../../../domain/fields/durations.ts'
import type { Data } from '../access/calls.ts'
import { countOf, formatCredits, formatDateTime, money } from '../parts/words.tsx'

type PlanTerms = { allotment: number; taskLimit: number | null; minGapMinutes: number }

/** Returns the display name of a plan. */
export function formatPlan(plan: string): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1)
}

type Subscription = Data<'get', '/api/accounts/{id}/subscription'>

export function formatPrice({ amountCents, interval }: Pick<Subscription, 'amountCents' | 'interval'>): string {
  return amountCents === null ? '–' : `${money(amountCents / 100)} a ${interval ?? 'period'}`
}

export function formatPeriodEnd({ currentPeriodEnd }: Pick<Subscription, 'currentPeriodEnd'>): string {
  return currentPeriodEnd === null ? '–' : formatDateTime(currentPeriodEnd)
}

/** Describes in one line what a plan includes. */
export function describePlanTerms({ allotment, taskLimit, minGapMinutes }: PlanTerms): string {
  const tasks = taskLimit === null ? 'any number of tasks' : countOf(taskLimit, 'task')
  return `${formatCredits(allotment)} of credits a month and ${tasks}, ${describeFrequency(minGapMinutes)}`
}

/** Describes how often a task may run. */
export function describeFrequency(minGapMinutes: number): string {
  const names: Record<number, string> = { 60: 'hourly', 1440: 'daily', 10_080: 'weekly' }
  return `at most ${names[minGapMinutes] ?? `once in ${formatMinutes(minGapMinutes)}`}`
}
