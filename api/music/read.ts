import { z } from 'zod'
import { findGenerationById, listGenerations } from '../../db/music/read.ts'
import { uuid } from '../../domain/fields/fields.ts'
import { musicResponses, toGenerationResponse, showLogs, type Generation } from '../../domain/music/generation.ts'
import { musicQuerySchema } from '../../domain/music/request.ts'
import { resolveAccount, resolveReadable } from '../access/access.ts'
import { notFound } from '../http/errors.ts'
import { route, success, type Route } from '../http/route.ts'
import { routeDefaults, type MusicDeps } from './route-defaults.ts'

export function listRoute(deps: MusicDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/music',
    summary: 'List music generations, newest first',
    sharedReads: true,
    ownership:
      'Generations of the caller and of its organizations. With account_id, only generations of that account, which the ' +
      'caller may act for.',
    query: musicQuerySchema,
    responses: { 200: musicResponses.list },
    errors: ['forbidden'],
    authorize: ({ caller, query }) => resolveAccount(deps, caller, query.account_id),
    handle: async ({ caller, query: { account_id: accountId, status, ...page } }) => {
      const scope = { accountId: accountId ?? caller.accountId, withOrganizations: accountId === undefined, status }
      const generations = await listGenerations(deps.db, scope, page)
      const generationResponses = await Promise.all(generations.map((generation) => toResponse(deps, generation)))
      return success({ generations: generationResponses })
    },
  })
}

export function readRoute(deps: MusicDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/music/{generationId}',
    summary: 'Read a music generation, with the log of its render',
    sharedReads: true,
    ownership: 'Generations of the caller, of its organizations, or of an account that the caller may act for.',
    params: z.object({ generationId: uuid }),
    responses: { 200: musicResponses.one },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params: { generationId } }) => {
      const record = await findGenerationById(deps.db, generationId)
      if (record === undefined) throw notFound('Music generation')
      const { generation, logs } = record
      await resolveReadable(deps, caller, generation.accountId)
      return success({ generation: await toResponse(deps, generation), logs: showLogs(logs) })
    },
  })
}

async function toResponse({ store }: MusicDeps, generation: Generation) {
  const { storageKey } = generation
  return toGenerationResponse(generation, storageKey === null ? null : await store.publicUrl(storageKey))
}
