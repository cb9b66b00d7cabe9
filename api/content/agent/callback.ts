import { createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { callbackSecret } from '../../../config.ts'
import { insertPosts } from '../../../db/content/agent/posts.ts'
import { claimThread } from '../../../db/content/agent/threads.ts'
import { callbackSchema, type Callback } from '../../../domain/content/agent/callback.ts'
import { createPosts } from '../../../domain/content/agent/posts.ts'
import { isFetchable } from '../../../providers/egress/files.ts'
import { recordAuditObject } from '../../access/audit.ts'
import { parseBody, requireStorable } from '../../http/body/json.ts'
import { emptyResponse, mebibytes, route, ok, type Route } from '../../http/route.ts'
import { validate } from '../../http/validate.ts'
import { routeDefaults, type ContentDeps } from '../route-defaults.ts'
import { startPostDelivery } from './receive.ts'

const bodyLimit = mebibytes(1)

export function callbackRoute(deps: ContentDeps): Route {
  const secret = callbackSecret(deps.config)
  return route({
    ...routeDefaults,
    method: 'POST',
    path: '/api/content-agent/callback',
    summary: 'Report the finished videos of a thread',
    description:
      'Only for the run that waits for the videos, which authenticates with `x-callback-secret`. Posts the result to the ' +
      'thread, each video once. Skips a thread that is not running.',
    auth: 'none',
    audited: 'successes',
    ownership: 'The thread of the body; only the results of runs that were started in it are posted.',
    bodyLimit,
    streamedBody: 'application/json',
    headers: z.object({ 'x-callback-secret': z.string().optional() }),
    responses: {
      200: z.object({ status: z.string(), skipped: z.literal(true).optional() }),
      401: emptyResponse('The secret is missing or wrong.'),
    },
    errors: ['invalid_request', 'payload_too_large', 'unsupported_media_type'],
    handle: async ({ headers, readBody, caller }) => {
      const requestBody = readBody({ limit: bodyLimit })
      if (!isCallbackSecret(secret, headers['x-callback-secret'])) return { status: 401 }
      const body = parseBody(await requestBody.buffer())
      requireStorable(body)
      const callback = validate(callbackSchema, body, 'body') as Callback
      recordAuditObject(caller, callback.threadId)
      const isClaimed = await claimAndStorePosts(deps, callback)
      return ok({ status: 'ok', ...(!isClaimed && { skipped: true as const }) })
    },
  })
}

/** Claims a running thread and stores its posts. Returns false for a thread that is not running. */
async function claimAndStorePosts(deps: ContentDeps, callback: Callback): Promise<boolean> {
  const { threadId, status, results } = callback
  const isClaimed = await deps.db.begin(async (tx) => {
    const runIds = results.map(({ runId }) => runId)
    const thread = await claimThread(tx, threadId, { outcome: status, runIds })
    if (thread === undefined) return false
    const ownResults = results.filter(({ runId }) => thread.runIds.includes(runId))
    const usable = ownResults.filter((result) => result.status === 'completed' && mayPost(deps, result.videoUrl))
    await insertPosts(
      tx,
      threadId,
      createPosts({ ...callback, results: ownResults }, { key: thread.pollRunId, usable }),
    )
    return true
  })
  if (isClaimed) startPostDelivery(deps, threadId)
  return isClaimed
}

function mayPost({ store, config }: ContentDeps, url: string | undefined): boolean {
  if (url === undefined) return false
  return store.parseKey(url) !== undefined || isFetchable(url, { allowPrivate: config.ALLOW_PRIVATE_FETCH })
}

/** Compares the secrets in constant time. Returns false if either is missing. */
function isCallbackSecret(secret: string | undefined, received: string | undefined): boolean {
  if (secret === undefined || received === undefined) return false
  const [expected, actual] = [secret, received].map((text) => createHash('sha256').update(text).digest())
  return expected !== undefined && actual !== undefined && timingSafeEqual(expected, actual)
}
