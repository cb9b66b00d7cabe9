import { deleteSignInOfToken, insertConsoleSignIn } from '../../../db/accounts/console-sign-ins.ts'
import { consoleBearerSchema } from '../../../domain/console/console.ts'
import { recordAuditObject } from '../../access/audit.ts'
import type { RouteDeps } from '../../deps.ts'
import { ApiError } from '../../http/errors.ts'
import { route, type Route } from '../../http/route.ts'
import { routeDefaults } from '../route-defaults.ts'
import { createBearer } from './bearer.ts'
import type { SignInCookie } from './cookie.ts'

const maxUserAgent = 300

export function beginRoute(deps: RouteDeps, cookie: SignInCookie): Route {
  const { db, config } = deps
  return route({
    ...routeDefaults,
    method: 'POST',
    path: '/api/console/sign-ins',
    summary: 'Keep this browser signed in to the console',
    description:
      'Exchanges a bearer token of the issuer for a cookie that scripts cannot read, and returns the first bearer token of the sign-in. Accepts requests from the console only. A key, or a bearer token that was issued for such a cookie, gets 403, so that a sign-in cannot extend itself.',
    auth: 'key-or-bearer',
    ownership: 'Creates a sign-in of the caller. Ends the sign-in of the cookie that the browser sends.',
    widensAccess: true,
    responses: { 201: consoleBearerSchema },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, headers }) => {
      const days = config.CONSOLE_SIGN_IN_DAYS
      if (days === 0) throw new ApiError('not_found', 'This deployment keeps no browser signed in')
      const previousToken = cookie.read(headers)
      if (caller.via !== 'bearer' || caller.signInId !== undefined)
        throw new ApiError('forbidden', 'Only a bearer token of the issuer begins a sign-in')
      const secret = config.SERVER_SECRET ?? ''
      const userAgent = (headers['user-agent'] ?? '').slice(0, maxUserAgent)
      if (previousToken !== undefined) await deleteSignInOfToken(db, secret, previousToken)
      const signIn = await insertConsoleSignIn(db, secret, { accountId: caller.accountId, userAgent, days })
      recordAuditObject(caller, signIn.id)
      return {
        status: 201,
        headers: { ...cookie.store(signIn.token, signIn.expiresAt), location: '/api/console/sign-ins' },
        body: await createBearer(deps, signIn),
      }
    },
  })
}
