import { incrementCount, readCount } from '../../db/rate-counts.ts'
import type { StartCredits } from '../../db/accounts/people.ts'
import type { Db } from '../../db/postgres/client.ts'
import type { RouteDeps } from '../deps.ts'
import { networkRange } from '../http/limits/network-address.ts'

const daySeconds = 24 * 3600

type CreditDeps = Pick<RouteDeps, 'config'>

/**
 * Returns the starting credits of a new account from this address: 0 after the network of the address has used up its daily
 * share. Networks are IPv4 /24 and IPv6 /48, the smallest that providers allocate in large numbers.
 */
export function resolveStartingCredits({ config }: CreditDeps, address: string): StartCredits {
  const { START_CREDITS: credits, START_CREDITS_PER_NETWORK: limit } = config
  if (limit === 0 || credits === 0) return credits
  return async (tx) => ((await incrementCount(tx, countName(address), daySeconds)).count > limit ? 0 : credits)
}

/** True if the next account from this address gets no starting credits because of the daily share of its network. */
export async function hasNoStartCredits({ config }: CreditDeps, db: Db, address: string): Promise<boolean> {
  const { START_CREDITS: credits, START_CREDITS_PER_NETWORK: limit } = config
  return credits > 0 && limit > 0 && (await readCount(db, countName(address))) >= limit
}

function countName(address: string): string {
  return `start-credits-of:${networkRange(address)}`
}
