import type { Tx } from '../../db/postgres/client.ts'
import { incrementCount } from '../../db/rate-counts.ts'
import { ApiError } from '../http/errors.ts'
import type { RouteDeps } from '../deps.ts'

const daySeconds = 24 * 3600

/**
 * Counts an invitation email in the transaction of the invitation. Throws 429 above a limit, which also reverts the count.
 */
export async function countInvitationMail(
  tx: Tx,
  { config }: Pick<RouteDeps, 'config'>,
  { invitedBy, to }: { invitedBy: string; to: string },
): Promise<void> {
  const limits = [
    { name: `invitations-by:${invitedBy}`, limit: config.RATE_LIMIT_INVITATIONS_PER_DAY, scope: 'by this account' },
    { name: `invitations-to:${to}`, limit: config.RATE_LIMIT_INVITATIONS_PER_EMAIL, scope: 'to this address' },
  ]
  for (const { name, limit, scope } of limits) {
    if (limit === 0) continue
    const { count, resetSeconds } = await incrementCount(tx, name, daySeconds)
    if (count > limit)
      throw new ApiError('rate_limited', `Too many invitations ${scope} within a day: at most ${limit}`, {
        retryAfter: resetSeconds,
      })
  }
}
