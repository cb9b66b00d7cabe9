import { z } from 'zod'
import { deleteGeneration, findGenerationById } from '../../db/music/read.ts'
import { uuid } from '../../domain/fields/fields.ts'
import { resolveAccount } from '../access/access.ts'
import { recordAuditObject } from '../access/audit.ts'
import { ApiError } from '../http/errors.ts'
import { route, type Route } from '../http/route.ts'
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
    responses: { 200: z.object({ status: z.literal('success') }) },
    errors: ['not_found', 'conflict'],
    handle: async ({ caller, params: { generationId } }) => {
      const record = await findGenerationById(deps.db, generationId)
      if (record === undefined) throw new ApiError('not_found', 'Music generation not found')
      await resolveAccount(deps, caller, record.generation.accountId)
      recordAuditObject(caller, generationId)
      const keys = await deps.db.begin((tx) => deleteGeneration(tx, generationId))
      if (keys === undefined) throw new ApiError('conflict', 'The track is still being created')
      await deleteFiles(deps, keys)
      return { status: 200, body: { status: 'success' } }
    },
  })
}
