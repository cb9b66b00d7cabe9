import { z } from 'zod'
import { deleteContentVideo, findContentVideo, listContentVideos } from '../../db/content/videos.ts'
import { toContentVideoResponse, contentVideoSchema, type ContentVideo } from '../../domain/content/videos.ts'
import { queryInteger, uuid } from '../../domain/fields/fields.ts'
import { resolveAccount, requireAccessible } from '../access/access.ts'
import { recordAuditObject } from '../access/audit.ts'
import { cursorParameter, bindCursors } from '../http/cursor.ts'
import { ApiError } from '../http/errors.ts'
import { route, success, type Route } from '../http/route.ts'
import { routeDefaults, type ContentDeps } from './route-defaults.ts'
import { deleteFiles } from '../media/usage.ts'

const status = z.literal('success')
const position = z.object({ micros: z.int(), runId: z.string() })

export function listVideosRoute(deps: ContentDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/content/videos',
    summary: 'List videos, newest first',
    description: 'Returns finished, pending and failed videos, each with the settings of its request.',
    ownership: 'Videos of the caller, or of the account named by account_id that the caller may act for.',
    query: z.object({
      account_id: uuid.optional(),
      artist_account_id: uuid.optional(),
      limit: queryInteger(1, 100, 24),
      cursor: cursorParameter,
    }),
    responses: { 200: z.object({ status, videos: z.array(contentVideoSchema), next_cursor: z.string().nullable() }) },
    errors: ['forbidden'],
    authorize: ({ caller, query }) => resolveAccount(deps, caller, query.account_id),
    handle: async ({ caller, query }) => {
      const { account_id: accountId = caller.accountId, artist_account_id: artistId, limit, cursor } = query
      const cursors = bindCursors(deps, position, accountId, ['videos', artistId ?? null])
      const after = cursors.open(cursor)
      const items = await listContentVideos(deps.db, { accountId, artistId, limit: limit + 1, after })
      const { rows, next } = cursors.cut(items, limit, ({ createdMicros: micros, runId }) => ({ micros, runId }))
      return success({
        videos: await Promise.all(rows.map((video) => toVideoResponse(deps, video))),
        next_cursor: next,
      })
    },
  })
}

export function readVideoRoute(deps: ContentDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/content/videos/{runId}',
    summary: 'Read a video',
    ownership: 'Videos of the caller or of an account that the caller may act for; any other video gives 404.',
    params: z.object({ runId: z.string().max(64) }),
    responses: { 200: z.object({ status, video: contentVideoSchema }) },
    errors: ['not_found'],
    handle: async ({ caller, params }) => {
      const video = await requireAccessible(deps, caller, await findContentVideo(deps.db, params.runId), 'Video')
      return success({ video: await toVideoResponse(deps, video) })
    },
  })
}

export function removeVideoRoute(deps: ContentDeps): Route {
  return route({
    ...routeDefaults,
    method: 'DELETE',
    path: '/api/content/videos/{runId}',
    summary: 'Delete a video',
    widensAccess: true,
    description:
      'Deletes the video and its files, which frees their storage. 409: the video is still being created; cancel its ' +
      'background run first.',
    ownership: 'Videos of the caller or of an account that the caller may act for; any other video gives 404.',
    params: z.object({ runId: z.string().max(64) }),
    responses: { 200: z.object({ status }) },
    errors: ['not_found', 'conflict'],
    handle: async ({ caller, params: { runId } }) => {
      await requireAccessible(deps, caller, await findContentVideo(deps.db, runId), 'Video')
      recordAuditObject(caller, runId)
      const keys = await deps.db.begin((tx) => deleteContentVideo(tx, runId))
      if (keys === undefined) throw new ApiError('conflict', 'The video is still being created')
      await deleteFiles(deps, keys)
      return success({})
    },
  })
}

async function toVideoResponse({ store }: ContentDeps, video: ContentVideo) {
  const toUrl = (key: string | null) => (key === null ? null : store.publicUrl(key))
  const [videoUrl, imageUrl] = await Promise.all([toUrl(video.videoKey), toUrl(video.imageKey)])
  return toContentVideoResponse(video, { video: videoUrl, image: imageUrl })
}
