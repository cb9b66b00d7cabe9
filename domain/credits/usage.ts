import type { LanguageModelV3Usage, SharedV3ProviderMetadata } from '@ai-sdk/provider'
import type { TokenPrices } from './token-prices.ts'

/** Tokens of one or more model calls, as messages contain them. A number is absent when the vendor did not report it. */
export type Usage = {
  inputTokens?: number
  inputTokenDetails: { noCacheTokens?: number; cacheReadTokens?: number; cacheWriteTokens?: number }
  outputTokens?: number
  outputTokenDetails: { textTokens?: number; reasoningTokens?: number }
  totalTokens?: number
}

type Count = number | undefined

export function toUsage({ inputTokens, outputTokens }: LanguageModelV3Usage): Usage {
  return createUsage({
    input: inputTokens.total,
    noCache: inputTokens.noCache,
    cacheRead: inputTokens.cacheRead,
    cacheWrite: inputTokens.cacheWrite,
    output: outputTokens.total,
    text: outputTokens.text,
    reasoning: outputTokens.reasoning,
    total: sum(inputTokens.total, outputTokens.total),
  })
}

/** Adds two usages. A number that only one of them contains is kept. */
export function addUsage(a: Usage, b: Usage): Usage {
  return createUsage({
    input: sum(a.inputTokens, b.inputTokens),
    noCache: sum(a.inputTokenDetails.noCacheTokens, b.inputTokenDetails.noCacheTokens),
    cacheRead: sum(a.inputTokenDetails.cacheReadTokens, b.inputTokenDetails.cacheReadTokens),
    cacheWrite: sum(a.inputTokenDetails.cacheWriteTokens, b.inputTokenDetails.cacheWriteTokens),
    output: sum(a.outputTokens, b.outputTokens),
    text: sum(a.outputTokenDetails.textTokens, b.outputTokenDetails.textTokens),
    reasoning: sum(a.outputTokenDetails.reasoningTokens, b.outputTokenDetails.reasoningTokens),
    total: sum(a.totalTokens, b.totalTokens),
  })
}

/** Returns the price of a call in USD that a gateway reports as a number or a decimal text. */
export function reportedCost(metadata: SharedV3ProviderMetadata | undefined): number | undefined {
  const cost = metadata?.['gateway']?.['cost']
  const value = typeof cost === 'string' && cost.trim() !== '' ? Number(cost) : cost
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

/**
 * Returns the price of a call in USD: the reported price if it is above zero, otherwise the price of its tokens, or 0 if
 * their prices are unknown.
 */
export function computeCost(usage: Usage, reported: number | undefined, prices: TokenPrices | undefined): number {
  if (reported !== undefined && reported > 0) return reported
  return prices === undefined ? 0 : tokenCost(usage, prices)
}

/** Creates a usage without the unknown counts, because stored metadata and frames have no undefined fields. */
function createUsage(counts: {
  input: Count
  noCache: Count
  cacheRead: Count
  cacheWrite: Count
  output: Count
  text: Count
  reasoning: Count
  total: Count
}): Usage {
  return {
    ...(counts.input !== undefined && { inputTokens: counts.input }),
    inputTokenDetails: {
      ...(counts.noCache !== undefined && { noCacheTokens: counts.noCache }),
      ...(counts.cacheRead !== undefined && { cacheReadTokens: counts.cacheRead }),
      ...(counts.cacheWrite !== undefined && { cacheWriteTokens: counts.cacheWrite }),
    },
    ...(counts.output !== undefined && { outputTokens: counts.output }),
    outputTokenDetails: {
      ...(counts.text !== undefined && { textTokens: counts.text }),
      ...(counts.reasoning !== undefined && { reasoningTokens: counts.reasoning }),
    },
    ...(counts.total !== undefined && { totalTokens: counts.total }),
  }
}

function sum(a: Count, b: Count): Count {
  return a === undefined ? b : b === undefined ? a : a + b
}

/** Computes the cost of a call's tokens in USD. Limits the cached tokens to the number of input tokens. */
function tokenCost({ inputTokens = 0, inputTokenDetails, outputTokens = 0 }: Usage, prices: TokenPrices): number {
  const cacheReads = Math.min(inputTokenDetails.cacheReadTokens ?? 0, inputTokens)
  const cacheWrites = Math.min(inputTokenDetails.cacheWriteTokens ?? 0, inputTokens - cacheReads)
  return (
    (inputTokens - cacheReads - cacheWrites) * prices.input +
    cacheReads * (prices.cachedInput ?? prices.input) +
    cacheWrites * (prices.cacheWrite ?? prices.input) +
    outputTokens * prices.output
  )
}
