import { z } from 'zod'
import { deleteConsoleSignIn, listConsoleSignIns } from '../../../db/accounts/console-sign-ins.ts'
import { consoleSignInSchema } from '../../../domain/console/console.ts'
import { uuid } from '../../../domain/fields/fields.ts'
import { pageQuery } from '../../../domain/fields/pages.ts'
import { recordAuditObject } from '../../access/audit.ts'
import type { DbDeps } from '../../deps.ts'
import { notFound } from '../../http/errors.ts'
import { route, ok, type Route } from '../../http/route.ts'
import { routeDefaults } from '../route-defaults.ts'
import { toWire } from '../../../domain/fields/wire.ts'

const listDefaults = {
  ...routeDefaults,
  auth: 'key-or-bearer',
  ownership: 'Sign-ins of the caller only.',
  widensAccess: true,
} as const

export function listRoutes({ db }: DbDeps): Route[] {
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
