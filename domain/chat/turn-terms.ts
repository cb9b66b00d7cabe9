import type { PlanRules } from '../credits/plans.ts'
import { lifecycleTimes, type LifecycleTimes } from '../sandboxes/lifecycle.ts'

/** Settings that apply when a turn is accepted: sandbox times in milliseconds, credit rules and the default model. */
export type TurnTerms = Pick<LifecycleTimes, 'idleTimeoutMs' | 'expiryBufferMs'> & {
  requireCredits: boolean
  plans: PlanRules
  defaultModel: string
}

type TermSettings = Parameters<typeof lifecycleTimes>[0] & {
  REQUIRE_CREDITS: boolean
  plans: PlanRules
  defaultModel: string
}

/** Selects the terms of turns from the settings. */
export function turnTerms(settings: TermSettings): TurnTerms {
  const { idleTimeoutMs, expiryBufferMs } = lifecycleTimes(settings)
  const { REQUIRE_CREDITS: requireCredits, plans, defaultModel } = settings
  return { idleTimeoutMs, expiryBufferMs, requireCredits, plans, defaultModel }
}
