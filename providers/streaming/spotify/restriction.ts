import type { Clock } from '../../retry.ts'

const lifetimeMs = 60 * 60 * 1000

/**
 * Some apps cannot read batches and get pages of at most ten items. Only a rejected request reveals this, and the result is
 * remembered for an hour.
 */
export type Restriction = { isKnown(): boolean; remember(): void }

export function createRestriction(clock: Clock): Restriction {
  let until = -Infinity
  return {
    isKnown: () => clock.now() < until,
    remember: () => {
      until = clock.now() + lifetimeMs
    },
  }
}
