import type { ModelDescription } from './index.ts'

const outputReserve = 8192

/** Sizes of a model with only a known context window. */
export function describeModel(contextWindow: number): ModelDescription {
  return {
    contextWindow,
    outputReserve: Math.min(outputReserve, Math.floor(contextWindow / 4)),
  }
}
