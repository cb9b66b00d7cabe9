import type { LanguageModelV3Usage } from '@ai-sdk/provider'
import { objectAt, type Json } from './json.ts'

/** Limits of the reported tokens and US dollar price of one call. Higher values are invalid. */
const maxTokens = 100_000_000
const maxCostUsd = 1000

/** Usage of a call as the server reports it. `invalid` lists the fields with implausible values. */
export type Report = { usage: LanguageModelV3Usage; cost: string | number | undefined; invalid: string[] }

/** Returns the plausible part of a report. Accounting and charges use only this part. */
export function readReport(wire: Json | undefined, cost: string | number | undefined): Report {
  const invalid: string[] = []
  const usage = toUsage(wire, invalid)
  if (cost === undefined || isPlausible(cost)) return { usage, cost, invalid }
  return { usage, cost: undefined, invalid: [...invalid, 'cost'] }
}

function toUsage(wire: Json | undefined, invalid: string[]): LanguageModelV3Usage {
  const input = readTokens(wire, 'prompt_tokens', invalid)
  const output = readTokens(wire, 'completion_tokens', invalid)
  const inputDetails = objectAt(wire, 'prompt_tokens_details')
  const cacheRead = readTokens(inputDetails, 'cached_tokens', invalid)
  const cacheWrite =
    readTokens(inputDetails, 'cache_write_tokens', invalid) ??
    readTokens(inputDetails, 'cache_creation_input_tokens', invalid)
  const reasoning = readTokens(objectAt(wire, 'completion_tokens_details'), 'reasoning_tokens', invalid)
  return {
    inputTokens: {
      total: input,
      noCache: input === undefined ? undefined : Math.max(0, input - (cacheRead ?? 0) - (cacheWrite ?? 0)),
      cacheRead,
      cacheWrite,
    },
    outputTokens: {
      total: output,
      text: output === undefined ? undefined : Math.max(0, output - (reasoning ?? 0)),
      reasoning,
    },
  }
}

/** Reads an integer from 0 to the limit. Rounds fractions; returns undefined for other values. Adds both to `invalid`. */
function readTokens(container: Json | undefined, name: string, invalid: string[]): number | undefined {
  const value = container?.[name]
  if (value === undefined || value === null) return undefined
  const tokens = typeof value === 'number' && value >= 0 && value <= maxTokens ? Math.round(value) : undefined
  if (tokens !== value) invalid.push(name)
  return tokens
}

function isPlausible(cost: string | number): boolean {
  const usd = typeof cost === 'string' && cost.trim() === '' ? Number.NaN : Number(cost)
  return usd >= 0 && usd <= maxCostUsd
}
