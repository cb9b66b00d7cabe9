import { z } from 'zod'

const plans = ['free', 'starter', 'pro'] as const
export type Plan = (typeof plans)[number]
export const planSchema = z.enum(plans)

const nonNegativeInteger = z.int().min(0)

const terms = z.strictObject({
  /** Balance, in credits, to which each period refills the account. */
  allotment: nonNegativeInteger,
  priceCents: nonNegativeInteger,
  trialDays: nonNegativeInteger,
  /** Maximum enabled tasks; null: unlimited. */
  taskLimit: z.int().min(1).nullable(),
  /** Minimum interval between two runs of a task. */
  minGapMinutes: z.int().min(1),
})
type PlanTerms = z.output<typeof terms>
export type PlanTable = Readonly<Record<Plan, PlanTerms>>

/** Settings of the plans: their terms, and the email domains whose accounts are on the pro plan. */
export type PlanRules = { table: PlanTable; enterpriseDomains: readonly string[] }

const defaultPlans: PlanTable = {
  free: { allotment: 3_330_000, priceCents: 0, trialDays: 0, taskLimit: 1, minGapMinutes: 10_080 },
  starter: { allotment: 20_000_000, priceCents: 1900, trialDays: 0, taskLimit: 3, minGapMinutes: 1440 },
  pro: { allotment: 300_000_000, priceCents: 9900, trialDays: 30, taskLimit: null, minGapMinutes: 60 },
}

const partialTerms = terms.partial()
export const planOverrides = z.strictObject({ free: partialTerms, starter: partialTerms, pro: partialTerms }).partial()

/** Returns the default plan table with individual terms replaced. */
export function planTable(overrides: z.output<typeof planOverrides> = {}): PlanTable {
  return {
    free: { ...defaultPlans.free, ...overrides.free },
    starter: { ...defaultPlans.starter, ...overrides.starter },
    pro: { ...defaultPlans.pro, ...overrides.pro },
  }
}
