import type { Config } from '../../config.ts'
import { coverTurn } from '../../db/credits/credits.ts'
import type { CreditCheckResult } from '../../db/credits/ledger.ts'
import type { RouteDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'

/** Creates the 402 error of the routes that check credits. */
export function insufficientCredits(
  { billingUrl }: Config,
  { available, required }: Record<'available' | 'required', number>,
) {
  return new ApiError('insufficient_credits', 'insufficient_credits', {
    body: {
      error: 'insufficient_credits',
      remaining_credits: available,
      required_credits: required,
      billingUrl,
    },
  })
}

/** Throws 402, which rolls the transaction back, unless the available credits cover the required amount. */
export function requireCovered(config: Config, gate: CreditCheckResult, required: number): void {
  if (!gate.covered) throw insufficientCredits(config, { available: gate.available, required })
}

/** Throws 402 if the deployment requires credits and the account cannot cover a turn. */
export async function requireCredits({ db, config }: RouteDeps, accountId: string): Promise<void> {
  if (config.REQUIRE_CREDITS) requireCovered(config, await coverTurn(db, { accountId, plans: config.plans }), 1)
}
