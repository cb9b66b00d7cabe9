import type { ModelDescription } from './index.ts'

const outputReserve = 8192

/** Describes a model of which only the context window is known. */
export function describeModel(contextWindow: number): ModelDescription {
  return {
    contextWindow,
    outputReserve: Math.min(outputReserve, Math.floor(contextWindow / 4)),
  }
}
