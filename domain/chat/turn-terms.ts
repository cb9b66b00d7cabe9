import type { PlanRules } from '../credits/plans.ts'
import { lifecycleTimes, type LifecycleTimes } from '../sandboxes/lifecycle.ts'

/** Requirements of a turn at its acceptance, and the terms that it then gets. */
export type TurnTerms = Pick<LifecycleTimes, 'idleMs' | 'expiryBufferMs'> & {
  requireCredits: boolean
  plans: PlanRules
  defaultModel: string
}

type TermSettings = Parameters<typeof lifecycleTimes>[0] & {
  REQUIRE_CREDITS: boolean
  plans: PlanRules
  defaultModel: string
}

export function turnTerms(settings: TermSettings): TurnTerms {
  const { idleMs, expiryBufferMs } = lifecycleTimes(settings)
  const { REQUIRE_CREDITS: requireCredits, plans, defaultModel } = settings
  return { idleMs, expiryBufferMs, requireCredits, plans, defaultModel }
}
