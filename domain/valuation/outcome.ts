import type { Band } from './band.ts'

/** Reason why no valuation exists. */
export type ValuationRefusal =
  | { why: 'no_releases' }
  | { why: 'insufficient_credits'; available: number; required: number }
  | { why: 'over_budget'; retryAfterSeconds: number }
  /** The streaming platform is overloaded. */
  | { why: 'busy'; retryAfterSeconds: number }
  | { why: 'platform_failed' }
  | { why: 'measurement_failed' }

export type ValuedCatalog = { catalogId: string; band: Band; songsMeasured: number }

export type ValuationOutcome = ({ is: 'valued' } & ValuedCatalog) | ({ is: 'refused' } & ValuationRefusal)
