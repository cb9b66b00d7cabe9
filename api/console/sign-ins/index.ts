import { z } from 'zod'
import type { RouteDeps, DbDeps } from '../../deps.ts'
import { route, emptyResponse, ok, type Route } from '../../http/route.ts'
import { createSignInCookie, type SignInCookie } from './cookie.ts'
import {
  deleteSignInOfToken,
  insertConsoleSignIn,
  rotateConsoleSignIn,
  deleteConsoleSignIn,
  listConsoleSignIns,
  type ConsoleSignIn,
} from '../../../db/accounts/console-sign-ins.ts'
import { consoleBearerSchema, consoleSignInSchema } from '../../../domain/console/console.ts'
import { recordAuditObject } from '../../access/audit.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { routeDefaults } from '../route-defaults.ts'
import { personOrigin } from '../../../domain/runs/origin.ts'
import { consoleBearerSeconds, issueConsoleBearer } from '../../../providers/identity/console-bearer.ts'
import { readViewer } from '../viewer.ts'
import { uuid } from '../../../domain/fields/fields.ts'
import { pageQuery } from '../../../domain/fields/pages.ts'
import { toWire } from '../../../domain/wire.ts'

/** Sign-ins of the console that survive a reload. */
export function signInRoutes(deps: RouteDeps): Route[] {
  const cookie = createSignInCookie(deps.config)
  return [beginRoute(deps, cookie), ...cookieRoutes(deps, cookie), ...listRoutes(deps)]
}

const maxUserAgent = 300

function beginRoute(deps: RouteDeps, cookie: SignInCookie): Route {
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

/** Only these two routes authenticate by the cookie. All others require a header, which another site cannot send. */
const cookieDefaults = {
  ...routeDefaults,
  auth: 'none',
  rate: 'anonymous',
  bodyLimit: 0,
  ownership: 'The sign-in of the cookie, for requests from pages of the console only.',
  errors: ['unauthorized', 'forbidden'],
} as const

function cookieRoutes(deps: RouteDeps, cookie: SignInCookie): Route[] {
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

/** Issues a short-lived bearer token for a sign-in, and returns the token with the data of its account. */
async function createBearer(deps: RouteDeps, { id, accountId }: ConsoleSignIn) {
  const caller = { accountId, via: 'bearer', ephemeral: false, origin: personOrigin('web') } as const
  const [viewer, bearer] = await Promise.all([
    readViewer(deps, caller),
    issueConsoleBearer(deps.config.SERVER_SECRET ?? '', id),
  ])
  return { ...viewer, bearer, expiresInSeconds: consoleBearerSeconds, signInId: id }
}

const listDefaults = {
  ...routeDefaults,
  auth: 'key-or-bearer',
  ownership: 'Sign-ins of the caller only.',
  widensAccess: true,
} as const

function listRoutes({ db }: DbDeps): Route[] {
  return [
    route({
      ...listDefaults,
      method: 'GET',
      path: '/api/console/sign-ins',
      summary: 'List the browsers that stay signed in, newest first',
      query: z.object(pageQuery(100, 50)),
      responses: { 200: z.object({ signIns: z.array(consoleSignInSchema) }) },
      handle: async ({ caller, query }) => {
        const rows = await listConsoleSignIns(db, caller.accountId, query)
        const signIns = rows.map((row) =>
          toWire(consoleSignInSchema, { ...row, isCurrent: row.id === caller.signInId }),
        )
        return ok({ signIns })
      },
    }),
    route({
      ...listDefaults,
      method: 'DELETE',
      path: '/api/console/sign-ins/{signInId}',
      summary: 'End a sign-in',
      description: 'Its bearer tokens and keys stop working within a second, and its open streams are closed.',
      params: z.object({ signInId: uuid }),
      responses: { 200: z.object({ success: z.literal(true) }) },
      errors: ['not_found'],
      handle: async ({ caller, params: { signInId } }) => {
        recordAuditObject(caller, signInId)
        if (!(await deleteConsoleSignIn(db, caller.accountId, signInId))) throw notFound('Sign-in')
        return ok({ success: true })
      },
    }),
  ]
}
