import { z } from 'zod'
import { findOpenChunkRun } from '../../db/measurements/chunks.ts'
import { findBatchOfLiveRun } from '../../db/scrapers/read.ts'
import { parseChunkKey } from '../../domain/measurements/chunks.ts'
import { providerRunChanged } from '../../workflows/provider-runs/messages.ts'
import { noteObject } from '../access/audit.ts'
import type { ApiDeps } from '../deps.ts'
import { verifySigned } from '../http/body/signed.ts'
import { mebibytes, route, type Request, type Route } from '../http/route.ts'
import { researchTag } from '../measurements/route-defaults.ts'

const bodyLimit = mebibytes(1)

type Query = { run?: string | undefined; token?: string | undefined }

export function webhookRoute(deps: ApiDeps): Route {
  return route({
    method: 'POST',
    path: '/api/webhooks/scraper',
    tag: researchTag,
    summary: 'Receive an event of the scraper',
    description:
      'The event only wakes the workflow that waits for the run, which reads the state from the scraper. The request is not stored.',
    auth: 'none',
    audited: 'successes',
    ownership: 'Reads and changes no account data. The token belongs to one run.',
    envelope: 'e2',
    bodyLimit,
    rate: 'default',
    streamedBody: 'application/json',
    query: z.object({ run: z.string().max(200).optional(), token: z.string().max(200).optional() }),
    responses: { 200: z.object({ status: z.literal('success'), ignored: z.literal(true).optional() }) },
    errors: ['unauthorized', 'payload_too_large', 'unsupported_media_type'],
    handle: async (request) => {
      const key = await verify(deps, request)
      noteObject(request.caller, key)
      const isAwaited = await wakeWaiting(deps, key)
      return { status: 200, body: { status: 'success', ...(!isAwaited && { ignored: true as const }) } }
    },
  })
}

/** Returns the key of the webhook's run. */
async function verify(deps: ApiDeps, { takeBody, headers, query }: Request<unknown, Query, unknown>): Promise<string> {
  const rawBody = await takeBody({ limit: bodyLimit }).whole()
  const verified = () => deps.scraper.verifyWebhook({ query, headers, rawBody }).runKey
  return verifySigned(verified, 'unauthorized', 'The token is missing or wrong')
}

/** Returns false when no work waits for the run. */
async function wakeWaiting(deps: ApiDeps, key: string): Promise<boolean> {
  const waiting = await findWaiting(deps, key)
  return waiting !== undefined && deps.engine.signal(waiting.workflowId, providerRunChanged, waiting.run)
}

/** Returns the work that waits for a run, and its name for the run. */
async function findWaiting(
  { db }: ApiDeps,
  key: string,
): Promise<{ workflowId: string; run: number | string } | undefined> {
  const chunk = parseChunkKey(key)
  if (chunk === undefined) {
    const workflowId = await findBatchOfLiveRun(db, key)
    return workflowId === undefined ? undefined : { workflowId, run: key }
  }
  const workflowId = await findOpenChunkRun(db, { snapshotId: chunk.jobId, chunk: chunk.index })
  return workflowId === undefined ? undefined : { workflowId, run: chunk.index }
}
