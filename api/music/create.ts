import { musicModel } from '../../config.ts'
import { acceptGeneration, musicJob } from '../../db/music/accept.ts'
import { NotCovered } from '../../db/credits/ledger.ts'
import { musicAnswers, showGeneration } from '../../domain/music/generation.ts'
import { musicRequestSchema } from '../../domain/music/request.ts'
import { resolveAccount } from '../access/access.ts'
import { noteObject } from '../access/audit.ts'
import { insufficientCredits } from '../credits/gate.ts'
import type { ApiDeps } from '../deps.ts'
import { route, type Route } from '../http/route.ts'
import { requireMediaRoom } from '../media/usage.ts'
import { startJob } from '../runs/jobs.ts'
import { routeDefaults } from './route-defaults.ts'

export function createRoute(deps: ApiDeps): Route {
  const { config, db } = deps
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
    ownership: 'Owned and paid by the caller or by the account named by account_id that the caller may act for.',
    idempotent: 'before-fields',
    example: { prompt: 'warm house with a piano', lyrics: 'Hold the line until the morning', duration: 30 },
    body: musicRequestSchema,
    responses: { 202: musicAnswers.accepted },
    errors: ['unauthorized', 'insufficient_credits', 'plan_limit', 'forbidden'],
    authorize: ({ caller, body }) => resolveAccount(deps, caller, body.account_id),
    handle: async ({ caller, body, idempotency }) => {
      const request = {
        accountId: body.account_id?.toLowerCase() ?? caller.accountId,
        request: body,
        model: musicModel(config),
        creditsPerSecond: config.prices.music_second,
        usage: { source: caller.via === 'key' ? ('api' as const) : ('web' as const), modelId: 'POST /api/music' },
        plans: config.plans,
        buildId: config.BUILD_ID,
      }
      try {
        const { answer, generation } = await db.begin(async (tx) => {
          await requireMediaRoom(deps, tx, request.accountId)
          const generation = await acceptGeneration(tx, request)
          const answer = {
            status: 202 as const,
            headers: { location: `/api/music/${generation.id}` },
            body: { status: 'success' as const, generation: showGeneration(generation, null) },
          }
          await idempotency.remember(tx, answer)
          return { answer, generation }
        })
        noteObject(caller, generation.id)
        startJob(deps, { id: generation.runId, taskIdentifier: musicJob })
        return answer
      } catch (error) {
        if (error instanceof NotCovered) throw insufficientCredits(config, error)
        throw error
      }
    },
  })
}
