import type { Clock } from '../../retry.ts'

const rememberedMs = 60 * 60 * 1000

/**
 * Some applications may not read batches and get pages of at most ten. Only a refusal reveals this, and it counts for an
 * hour.
 */
export type Restriction = { isKnown(): boolean; remember(): void }

export function createRestriction(clock: Clock): Restriction {
  let until = -Infinity
  return {
    isKnown: () => clock.now() < until,
    remember: () => {
      until = clock.now() + rememberedMs
    },
  }
}
