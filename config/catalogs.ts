import { z } from 'zod'
import type { PlanRules } from '../domain/credits/plans.ts'
import type { PriceTable } from '../domain/credits/prices.ts'
import { count } from './values.ts'

const catalogNames = {
  CAPTURE_MONTHLY_BUDGET_USD: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be a decimal number')
    .default('25')
    .meta({ description: 'US dollars that the measurements of an account may be estimated at in a month (UTC).' }),
  VALUATION_WAIT_MS: count
    .min(1)
    .default(90_000)
    .meta({ description: 'Milliseconds for which a valuation waits for its measurement before it answers 504.' }),
  VALUATION_MAX_RELEASES: count
    .min(1)
    .max(500)
    .default(300)
    .meta({ description: 'Albums and singles of an artist that a valuation measures at most.' }),
}

type Given = z.output<z.ZodObject<typeof catalogNames>>

/** What measurements are asked and spent for, as acceptance takes it. */
export const captureTerms = ({
  prices,
  plans,
  ...config
}: Given & { prices: PriceTable; plans: PlanRules; BUILD_ID: string }) => ({
  usdPerAlbum: prices.capture_album_usd,
  monthlyBudgetUsd: config.CAPTURE_MONTHLY_BUDGET_USD,
  plans,
  buildId: config.BUILD_ID,
})

export const catalogGroup = { names: catalogNames, faults: () => [] }
