import { z } from 'zod'
import { deleteSignInOfToken, rotateConsoleSignIn } from '../../../db/accounts/console-sign-ins.ts'
import { consoleBearerSchema } from '../../../domain/console/console.ts'
import type { RouteDeps } from '../../deps.ts'
import { ApiError } from '../../http/errors.ts'
import { emptyResponse, route, type Route } from '../../http/route.ts'
import { routeDefaults } from '../route-defaults.ts'
import { createBearer } from './bearer.ts'
import type { SignInCookie } from './cookie.ts'

/** Only these two routes authenticate by the cookie. All others require a header, which another site cannot send. */
const cookieDefaults = {
  ...routeDefaults,
  auth: 'none',
  rate: 'anonymous',
  bodyLimit: 0,
  ownership: 'The sign-in of the cookie, for requests from pages of the console only.',
  errors: ['unauthorized', 'forbidden'],
} as const

export function cookieRoutes(deps: RouteDeps, cookie: SignInCookie): Route[] {
  return [exchange(deps, cookie), end(deps, cookie)]
}

function exchange(deps: RouteDeps, cookie: SignInCookie): Route {
  const { db, config, log } = deps
  return route({
    ...cookieDefaults,
    method: 'POST',
    path: '/api/console/sign-ins/token',
    summary: 'Exchange the cookie of the console for a bearer token',
    description:
      'Replaces the cookie. The replaced cookie remains valid for one minute, for other tabs and for lost responses. If it is used later, the sign-in ends, because the cookie must have been copied.',
    responses: { 200: consoleBearerSchema, 204: emptyResponse('The browser sent no cookie: it is not signed in.') },
    handle: async ({ headers }) => {
      const token = cookie.read(headers)
      if (token === undefined || token === '') return { status: 204 }
      const rotation = await rotateConsoleSignIn(db, config.SERVER_SECRET ?? '', token)
      if (rotation.is === 'reused')
        log.warn(
          { accountId: rotation.accountId, signInId: rotation.id },
          'ended a sign-in of the console because its replaced cookie was used again',
        )
      if (rotation.is !== 'live')
        throw new ApiError('unauthorized', 'This sign-in has ended', { headers: cookie.remove() })
      const { signIn } = rotation
      return {
        status: 200,
        headers: cookie.store(signIn.token, signIn.expiresAt),
        body: await createBearer(deps, signIn),
      }
    },
  })
}

function end({ db, config }: RouteDeps, cookie: SignInCookie): Route {
  return route({
    ...cookieDefaults,
    method: 'DELETE',
    path: '/api/console/sign-ins/current',
    summary: 'Sign this browser out of the console',
    description: 'Ends the sign-in of the cookie with its bearer tokens and keys, and removes the cookie.',
    responses: { 200: z.object({ success: z.literal(true) }) },
    handle: async ({ headers }) => {
      const token = cookie.read(headers)
      if (token !== undefined) await deleteSignInOfToken(db, config.SERVER_SECRET ?? '', token)
      return { status: 200, headers: cookie.remove(), body: { success: true } }
    },
  })
}
