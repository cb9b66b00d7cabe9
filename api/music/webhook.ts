import { z } from 'zod'
import { findRunOfRequest } from '../../db/jobs/requests.ts'
import { ProviderFault } from '../../providers/fault.ts'
import { renderChanged } from '../../workflows/music/messages.ts'
import { noteObject } from '../access/audit.ts'
import type { ApiDeps } from '../deps.ts'
import { verifySigned } from '../http/body/signed.ts'
import { unavailable } from '../http/failures.ts'
import { mebibytes, route, type Request, type Route } from '../http/route.ts'
import { routeDefaults } from './route-defaults.ts'

const bodyLimit = mebibytes(1)

export function webhookRoute(deps: ApiDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path: '/api/webhooks/renders',
    summary: 'Receive an event of the renderer',
    description:
      'The event only wakes the workflow that waits for the render, which reads the state from the renderer. The request is not stored.',
    auth: 'none',
    audited: 'successes',
    ownership: 'Reads and changes no account data. The renderer signs its requests.',
    bodyLimit,
    streamedBody: 'application/json',
    responses: { 200: z.object({ status: z.literal('success'), ignored: z.literal(true).optional() }) },
    errors: ['invalid_request', 'unauthorized', 'payload_too_large', 'unsupported_media_type'],
    handle: async (request) => {
      const prefix = await verify(deps, request)
      const runId = await findRunOfRequest(deps.db, prefix)
      noteObject(request.caller, runId ?? prefix)
      const isAwaited = runId !== undefined && (await deps.engine.signal(runId, renderChanged, undefined))
      return { status: 200, body: { status: 'success', ...(!isAwaited && { ignored: true as const }) } }
    },
  })
}

/** Returns the id prefix of the webhook's request. */
async function verify(
  { verifyRenderWebhook }: ApiDeps,
  { takeBody, headers }: Request<unknown, unknown, unknown>,
): Promise<string> {
  const body = await takeBody({ limit: bodyLimit }).whole()
  const verified = async () => {
    if (verifyRenderWebhook === undefined) throw new ProviderFault('invalid', 'this renderer sends no webhooks')
    return (await verifyRenderWebhook(headers, body)).requestIdPrefix
  }
  try {
    return await verifySigned(verified, 'unauthorized', 'The signature is missing or wrong')
  } catch (error) {
    throw error instanceof ProviderFault && error.isRetryable ? unavailable(error) : error
  }
}
