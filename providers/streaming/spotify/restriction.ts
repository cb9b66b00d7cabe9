import type { Clock } from '../../retry.ts'

const lifetimeMs = 60 * 60 * 1000

/**
 * Records whether the app is restricted. Restricted apps cannot read batches and receive pages of at most ten items. Only a
 * rejected request reveals the restriction, which is recorded for an hour.
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
