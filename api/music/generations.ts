import { z } from 'zod'
import { findGenerationById, listGenerations, deleteGeneration } from '../../db/music/read.ts'
import { uuid, successOf } from '../../domain/fields/fields.ts'
import { musicResponses, toGenerationResponse, showLogs, type Generation } from '../../domain/music/generation.ts'
import { musicQuerySchema } from '../../domain/music/request.ts'
import { resolveAccount, resolveReadable } from '../access/access.ts'
import { notFound, ApiError } from '../http/errors.ts'
import { route, success, type Route } from '../http/route.ts'
import { routeDefaults, type MusicDeps } from './route-defaults.ts'
import { recordAuditObject } from '../access/audit.ts'
import { deleteFiles } from '../media/usage.ts'

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

export function removeRoute(deps: MusicDeps): Route {
  return route({
    ...routeDefaults,
    method: 'DELETE',
    path: '/api/music/{generationId}',
    summary: 'Delete a track',
    widensAccess: true,
    description:
      'Deletes the track and its file, which frees its storage. The charge is not refunded. 409: the track is being created.',
    ownership: 'Generations of the caller, or of an account that the caller may act for.',
    params: z.object({ generationId: uuid }),
    responses: { 200: successOf({}) },
    errors: ['not_found', 'conflict'],
    handle: async ({ caller, params: { generationId } }) => {
      const record = await findGenerationById(deps.db, generationId)
      if (record === undefined) throw notFound('Music generation')
      await resolveAccount(deps, caller, record.generation.accountId)
      recordAuditObject(caller, generationId)
      const keys = await deps.db.begin((tx) => deleteGeneration(tx, generationId))
      if (keys === undefined) throw new ApiError('conflict', 'The track is still being created')
      await deleteFiles(deps, keys)
      return success({})
    },
  })
}
