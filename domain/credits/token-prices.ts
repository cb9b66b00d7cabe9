import { z } from 'zod'

/** USD per token. Without its own price, cached input costs as much as other input. */
export type TokenPrices = { input: number; output: number; cachedInput?: number; cacheWrite?: number }

const tokensPerPrice = 1_000_000
const perMillion = z
  .number()
  .min(0)
  .max(100_000)
  .transform((usd) => usd / tokensPerPrice)

const modelId = z.string().regex(/^[^/\s]+\/\S+$/, 'must have the form provider/model')

/** Prices by model id: in USD per million tokens in the setting, per token after parsing. */
export const modelPrices = z.record(
  modelId,
  z.strictObject({
    input: perMillion,
    output: perMillion,
    /** Input that the vendor has read from its cache. */
    cachedInput: perMillion.exactOptional(),
    /** Input that the vendor has written into its cache. */
    cacheWrite: perMillion.exactOptional(),
  }),
)
