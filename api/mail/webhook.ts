import { z } from 'zod'
import { insertReply } from '../../db/mail/replies.ts'
import { ProviderError } from '../../providers/errors/provider-error.ts'
import { parseReplyAddress } from '../../providers/mail/reply-address.ts'
import { recordAuditObject } from '../access/audit.ts'
import type { MailDeps } from './delivery.ts'
import { maxWebhookBytes, verifySigned } from '../http/body/signed.ts'
import { ApiError } from '../http/errors.ts'
import { route, success, type Request, type Route } from '../http/route.ts'
import { successOf } from '../../domain/fields/fields.ts'

/** Route that receives the mail provider's events about inbound emails. */
export function mailWebhookRoute(deps: MailDeps): Route {
  return route({
    method: 'POST',
    path: '/api/webhooks/mail',
    tag: { name: 'Emails', description: 'Emails sent by an account.' },
    summary: 'Receive an event of the mail provider',
    description:
      'The provider signs the bytes of the body. A reply to an email of a chat becomes the next message of the chat if ' +
      'it comes from an address of the account. All other events are ignored.',
    auth: 'none',
    audited: 'successes',
    ownership:
      'Returns no account data. Stores an email as a reply in the chat that its signed recipient address names.',
    envelope: 'standard',
    bodyLimit: maxWebhookBytes,
    rate: 'default',
    streamedBody: 'application/json',
    responses: { 200: successOf({ ignored: z.literal(true).optional() }) },
    errors: ['invalid_request', 'unauthorized', 'payload_too_large', 'unsupported_media_type'],
    handle: async (request) => {
      const inboundMail = await verify(deps, request)
      const { replyBase, SERVER_SECRET: secret = '' } = deps.config
      const chatId = inboundMail?.recipients
        .map((address) => replyBase && parseReplyAddress(secret, replyBase, address))
        .find((id) => id !== undefined)
      if (inboundMail === undefined || chatId === undefined) return success({ ignored: true })
      recordAuditObject(request.caller, chatId)
      await insertReply(deps.db, { providerKey: inboundMail.providerKey, chatId })
      return success({})
    },
  })
}

async function verify({ mail }: MailDeps, request: Request<unknown, unknown, unknown>) {
  const verifyBody = (body: Buffer) => {
    if (mail.inbound === undefined) throw new ProviderError('invalid', 'this provider does not deliver inbound email')
    return mail.inbound.verify(request.headers, body)
  }
  try {
    return await verifySigned(request, verifyBody, 'unauthorized', 'The signature is missing or wrong')
  } catch (error) {
    if (!(error instanceof z.ZodError || error instanceof SyntaxError)) throw error
    throw new ApiError('invalid_request', 'The body is not an event of the mail provider', { cause: error })
  }
}
