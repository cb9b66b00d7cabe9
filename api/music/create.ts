import { musicModel } from '../../config.ts'
import { acceptGeneration } from '../../db/music/accept.ts'
import { musicJobKind } from '../../db/music/job.ts'
import { musicResponses, toGenerationResponse } from '../../domain/music/generation.ts'
import { musicRequestSchema } from '../../domain/music/request.ts'
import { resolveAccount } from '../access/access.ts'
import type { WorkDeps } from '../deps.ts'
import { route, type Route } from '../http/route.ts'
import { requireMediaRoom } from '../media/usage.ts'
import { acceptAndStart, jobTerms } from '../jobs/accept.ts'
import { routeDefaults } from './route-defaults.ts'

export function createRoute(deps: WorkDeps): Route {
  const { config } = deps
  return route({
    ...routeDefaults,
    rate: 'work',
    method: 'POST',
    path: '/api/music',
    summary: 'Create a track',
    description:
      'Generates a track from a description and lyrics. The price of the requested seconds is held. When the track is ' +
      'stored, its actual length is charged, up to the held amount; a failed generation is not charged. Poll the generation ' +
      'or its background run `render-music`, whose metadata contains the progress. A generation cannot be cancelled.',
    ownership: 'Owned by and charged to the caller, or account_id if the caller may act for it.',
    idempotent: 'before-validation',
    example: { prompt: 'warm house with a piano', lyrics: 'Hold the line until the morning', duration: 30 },
    body: musicRequestSchema,
    responses: { 202: musicResponses.accepted },
    errors: ['insufficient_credits', 'plan_limit', 'forbidden'],
    authorize: ({ caller, body }) => resolveAccount(deps, caller, body.account_id),
    handle: async ({ caller, body, idempotency }) => {
      const accountId = body.account_id?.toLowerCase() ?? caller.accountId
      const terms = jobTerms(deps, caller, accountId, 'POST /api/music')
      const generationRequest = {
        request: body,
        model: musicModel(config),
        creditsPerSecond: config.prices.music_second,
      }
      return acceptAndStart(deps, { caller, idempotency }, async (tx) => {
        await requireMediaRoom(deps, tx, accountId)
        const generation = await acceptGeneration(tx, terms, generationRequest)
        const { id: object, runId: id } = generation
        const response = {
          status: 202 as const,
          headers: { location: `/api/music/${object}` },
          body: { status: 'success' as const, generation: toGenerationResponse(generation, null) },
        }
        return { response, object, jobs: [{ id, jobKind: musicJobKind.name }] }
      })
    },
  })
}
