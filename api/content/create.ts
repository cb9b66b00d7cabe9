import { z } from 'zod'
import { readArtistName } from '../../db/artists/artists.ts'
import { acceptContent } from '../../db/content/accept.ts'
import { findAccountSnapshot } from '../../db/sandboxes/snapshots.ts'
import { contentRequestSchema, maxBatch, needsRepository, type ContentOptions } from '../../domain/content/request.ts'
import { contentJob } from '../../domain/content/runs.ts'
import { isFetchable } from '../../providers/egress/files.ts'
import { requireKnownArtist, resolveAccount } from '../access/access.ts'
import { invalidField, notFound } from '../http/errors.ts'
import { route, success, type Route } from '../http/route.ts'
import { requireMediaRoom } from '../media/usage.ts'
import { acceptAndStart, jobTerms } from '../jobs/accept.ts'
import { routeDefaults, type ContentDeps } from './route-defaults.ts'
import { contentTemplates } from '../../domain/content/templates/index.ts'
import { successOf } from '../../domain/fields/fields.ts'

const responseSchema = z.object({
  runIds: z.array(z.string()).min(1).max(maxBatch),
  status: z.literal('triggered'),
  artist_account_id: z.guid(),
  template: z.string(),
  lipsync: z.boolean(),
})

export function createRoute(deps: ContentDeps): Route {
  const { config, db, store } = deps
  const mayFetch = (url: string): boolean =>
    store.parseKey(url) !== undefined || isFetchable(url, { allowPrivate: config.ALLOW_PRIVATE_FETCH })
  return route({
    ...routeDefaults,
    rate: 'work',
    method: 'POST',
    path: '/api/content/create',
    summary: 'Create short videos for an artist',
    description:
      "Each run of the batch takes an image and a song from the request or from the artist's folder in the source " +
      'repository (the name of the artist in lower case, with hyphens for spaces), finds the most energetic part of the ' +
      'song, and renders a vertical video. All runs are stored in one transaction; a limited number is rendered at a time. Poll ' +
      '`GET /api/tasks/runs` for each `create-content` run: its metadata contains the progress, and its output ' +
      'contains the URLs. `DELETE /api/tasks/runs` cancels a run.',
    ownership:
      'Owned by and charged to the caller, or account_id if the caller may act for it. That account must have access to ' +
      'the artist.',
    idempotent: 'before-validation',
    example: {
      artist_account_id: '9b2d7c10-8e43-4f6a-b1c5-7e0f9d3a2c68',
      template: 'artist-caption-stage',
      caption_length: 'short',
      batch: 2,
    },
    body: contentRequestSchema(mayFetch),
    responses: { 202: responseSchema },
    errors: ['insufficient_credits', 'plan_limit', 'forbidden', 'not_found'],
    authorize: ({ caller, body }) => resolveAccount(deps, caller, body.account_id),
    handle: async ({ caller, body, idempotency }) => {
      const accountId = body.account_id ?? caller.accountId
      const artist = await requireKnownArtist(deps, caller, accountId, body.artist_account_id)
      const name = await readArtistName(db, { accountId }, artist.id)
      if (name === null) throw notFound('Artist')
      const { template, lipsync, upscale, caption_length: captionLength, songs = [], images = [] } = body
      const options: ContentOptions = { template, lipsync, upscale, captionLength, songs, images }
      if (needsRepository(options) && !((await findAccountSnapshot(db, accountId))?.githubRepo ?? null))
        throw invalidField('The account has no source repository: send images and songs as URLs')
      const terms = jobTerms(deps, caller, accountId, 'POST /api/content/create')
      const creditsPerVideo = config.prices.content_video
      const content = { artist: { id: artist.id, name }, options, batch: body.batch, creditsPerVideo }
      return acceptAndStart(deps, { caller, idempotency }, async (tx) => {
        await requireMediaRoom(deps, tx, accountId)
        const runIds = await acceptContent(tx, terms, content)
        const accepted = {
          status: 202 as const,
          body: { runIds, status: 'triggered' as const, artist_account_id: artist.id, template, lipsync },
        }
        const jobs = runIds.map((id) => ({ id, jobKind: contentJob }))
        return { response: accepted, object: artist.id, jobs }
      })
    },
  })
}

export function templatesRoute(): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/content/templates',
    summary: 'List the templates for videos',
    description: 'The first template is the default.',
    ownership: 'Every authenticated caller sees the same list.',
    responses: { 200: successOf({ templates: z.array(z.object({ name: z.string(), description: z.string() })) }) },
    handle: async () => {
      const templates = contentTemplates.map(({ name, description }) => ({ name, description }))
      return success({ templates })
    },
  })
}
