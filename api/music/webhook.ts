import { findWaitingJob } from '../../db/jobs/requests.ts'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import { renderChanged } from '../../workflows/provider-runs/messages.ts'
import { recordAuditObject } from '../access/audit.ts'
import { verifySigned } from '../http/body/signed.ts'
import { unavailable } from '../http/failures.ts'
import { route, type Request, type Route } from '../http/route.ts'
import { wakeJob, wakeWebhookDefaults } from '../jobs/webhook.ts'
import { routeDefaults, type MusicDeps } from './route-defaults.ts'

export function webhookRoute(deps: MusicDeps): Route {
  return route({
    ...routeDefaults,
    ...wakeWebhookDefaults,
    path: '/api/webhooks/renders',
    summary: 'Receive an event of the renderer',
    description:
      'The event only wakes the workflow that waits for the render, which reads the state from the renderer. The request is not stored.',
    ownership: 'Reads and changes no account data. The renderer signs its requests.',
    errors: ['invalid_request', 'unauthorized', 'payload_too_large', 'unsupported_media_type'],
    handle: async (request) => {
      const prefix = await verify(deps, request)
      const job = await findWaitingJob(deps.db, 'renderer', prefix)
      recordAuditObject(request.caller, job?.runId ?? prefix)
      return wakeJob(deps, job, renderChanged)
    },
  })
}

/** Verifies the signature of the webhook and returns the prefix of the render request's id. */
async function verify(
  { verifyRenderWebhook }: MusicDeps,
  request: Request<unknown, unknown, unknown>,
): Promise<string> {
  const verifyBody = async (body: Buffer) => {
    if (verifyRenderWebhook === undefined) throw new ProviderError('invalid', 'this renderer sends no webhooks')
    return (await verifyRenderWebhook(request.headers, body)).requestIdPrefix
  }
  try {
    return await verifySigned(request, verifyBody, 'unauthorized', 'The signature is missing or wrong')
  } catch (error) {
    throw error instanceof ProviderError && error.isRetryable ? unavailable(error) : error
  }
}
