import { z } from 'zod'
import { deleteGeneration, findGenerationById } from '../../db/music/read.ts'
import { uuid, successOf } from '../../domain/fields/fields.ts'
import { resolveAccount } from '../access/access.ts'
import { recordAuditObject } from '../access/audit.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { route, success, type Route } from '../http/route.ts'
import { deleteFiles } from '../media/delete.ts'
import { routeDefaults, type MusicDeps } from './route-defaults.ts'

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
