import type { ConsoleSignIn } from '../../../db/accounts/console-sign-ins.ts'
import { personOrigin } from '../../../domain/runs/origin.ts'
import { consoleBearerSeconds, issueConsoleBearer } from '../../../providers/identity/console-bearer.ts'
import type { RouteDeps } from '../../deps.ts'
import { readViewer } from '../viewer.ts'

/** Issues a short-lived bearer token for a sign-in, and returns the token with the data of its account. */
export async function createBearer(deps: RouteDeps, { id, accountId }: ConsoleSignIn) {
  const caller = { accountId, via: 'bearer', ephemeral: false, origin: personOrigin('web') } as const
  const [viewer, bearer] = await Promise.all([
    readViewer(deps, caller),
    issueConsoleBearer(deps.config.SERVER_SECRET ?? '', id),
  ])
  return { ...viewer, bearer, expiresInSeconds: consoleBearerSeconds, signInId: id }
}
