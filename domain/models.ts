import { z } from 'zod'
import type { TokenPrices } from './credits/token-prices.ts'

const callOutcomes = ['answered', 'refused', 'failed'] as const

const usd = z.number().min(0).meta({ description: 'US dollars per million tokens.' })
const prices = z
  .object({ input: usd, output: usd, cachedInput: usd.optional(), cacheWrite: usd.optional() })
  .meta({ id: 'ModelPrices', description: 'Cached input without a price costs as much as other input.' })

export const offeredModelSchema = z
  .object({
    id: z.string().meta({ description: 'Id to use in chats and runs: provider/model.' }),
    isDefault: z.boolean().meta({ description: 'The model of new chats.' }),
    contextWindow: z.int().meta({ description: 'Tokens.' }),
    outputReserve: z.int().meta({ description: 'Tokens of the window that are reserved for the output.' }),
    prices: prices.nullable(),
    pricesFrom: z.enum(['settings', 'gateway']).nullable().meta({ description: 'Null while no price is known.' }),
    works: z.boolean().nullable().meta({
      description: 'False if the model is not configured or its last call failed; null before the first call.',
    }),
    lastCall: z
      .object({
        at: z.iso.datetime(),
        outcome: z.enum(callOutcomes).meta({
          description: 'refused: a retry fails again, for example with a wrong key. failed: a retry may succeed.',
        }),
      })
      .nullable(),
  })
  .meta({ id: 'OfferedModel' })

/** Outcome of a model call. `refused`: a retry fails again. */
export type CallOutcome = (typeof callOutcomes)[number]
export type ModelCallOutcome = { outcome: CallOutcome; calledAt: Date }

type ModelSettings = {
  contextWindow: number
  outputReserve: number
  prices?: TokenPrices
  pricesFrom?: 'settings' | 'gateway'
  unset?: true
}

export function offeredModel(
  id: string,
  settings: ModelSettings,
  { lastCall, isDefault }: { lastCall: ModelCallOutcome | undefined; isDefault: boolean },
): z.output<typeof offeredModelSchema> {
  const { contextWindow, outputReserve, unset = false } = settings
  return {
    id,
    isDefault,
    contextWindow,
    outputReserve,
    prices: settings.prices === undefined ? null : perMillion(settings.prices),
    pricesFrom: settings.pricesFrom ?? null,
    works: unset ? false : lastCall === undefined ? null : lastCall.outcome === 'answered',
    lastCall: lastCall === undefined ? null : { at: lastCall.calledAt.toISOString(), outcome: lastCall.outcome },
  }
}

function perMillion({ input, output, cachedInput, cacheWrite }: TokenPrices) {
  return {
    input: perMillionTokens(input),
    output: perMillionTokens(output),
    ...(cachedInput !== undefined && { cachedInput: perMillionTokens(cachedInput) }),
    ...(cacheWrite !== undefined && { cacheWrite: perMillionTokens(cacheWrite) }),
  }
}

/** Rounds to ten digits, because binary numbers only approximate the decimal price per token. */
function perMillionTokens(usdPerToken: number): number {
  return Number((usdPerToken * 1_000_000).toPrecision(10))
}
