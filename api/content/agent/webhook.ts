import { z } from 'zod'
import { receivesTeamChat } from '../../../config.ts'
import { ProviderError } from '../../../providers/errors/provider-error.ts'
import type { ChatEvent } from '../../../providers/team-chat/index.ts'
import { recordAuditObject } from '../../access/audit.ts'
import { maxWebhookBytes, verifySigned } from '../../http/body/signed.ts'
import { ApiError } from '../../http/errors.ts'
import { emptyResponse, route, ok, type Request, type Route } from '../../http/route.ts'
import { routeDefaults, type ContentAgentDeps } from '../route-defaults.ts'
import { receiveMention } from './receive.ts'

const platform = 'teamchat'

export function webhookRoute(deps: ContentAgentDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path: '/api/content-agent/{platform}',
    summary: 'Receive an event of the team chat',
    description:
      'Accepts a challenge, which is returned, or a mention of the agent: `<artist id> [template] [batch=N] [lipsync]`. A ' +
      'mention is stored with its job and answered in its thread. If the deployment has a signing secret, the request must ' +
      'be signed with `x-teamchat-signature` over `x-teamchat-request-timestamp` and the body. The only platform is `teamchat`.',
    auth: 'none',
    audited: 'successes',
    ownership: 'The account that the settings assign to the workspace. The platform signs its requests.',
    bodyLimit: maxWebhookBytes,
    streamedBody: 'application/json',
    params: z.object({ platform: z.string() }),
    responses: {
      200: z.object({ ok: z.boolean(), challenge: z.string().optional() }),
      404: emptyResponse('No such platform.'),
    },
    errors: ['unauthorized', 'payload_too_large', 'unsupported_media_type', 'unavailable'],
    handle: async (request) => {
      if (request.params.platform !== platform) return { status: 404 }
      if (!receivesTeamChat(deps.config))
        throw new ApiError('unavailable', 'The team chat is not configured', notConfigured)
      const event = await readEvent(deps, request)
      if (event.kind === 'challenge') return ok({ ok: true, challenge: event.challenge })
      if (event.kind === 'mention' && !event.isBot) {
        recordAuditObject(request.caller, event.eventId)
        const { eventId, workspaceId, threadId, text } = event
        await receiveMention(deps, { eventId, workspaceId, threadId, text })
      }
      return ok({ ok: true })
    },
  })
}

const notConfigured = { headers: { 'retry-after': '3600' } }

/** Verifies the signature of a request and returns its event. */
async function readEvent({ chat }: ContentAgentDeps, request: Request<unknown, unknown, unknown>): Promise<ChatEvent> {
  const verify = (body: Buffer): Buffer => {
    chat.verifyRequest(request.headers, body)
    return body
  }
  const rawBody = await verifySigned(request, verify, 'unauthorized', 'The signature is missing or wrong')
  try {
    return chat.parseEvent(rawBody)
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'invalid') throw error
    const details = { cause: error, missingFields: [] }
    throw new ApiError('invalid_request', 'The body is not an event of the team chat', details)
  }
}
