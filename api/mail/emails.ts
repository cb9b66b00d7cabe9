import { createHash } from 'node:crypto'
import { z } from 'zod'
import { readArtist } from '../../db/artists/artists.ts'
import { incrementCount } from '../../db/rate-counts.ts'
import { findArtistOfChat, hasCardOnFile, listOwnAddresses } from '../../db/mail/recipients.ts'
import { findChat } from '../../db/sessions/chats.ts'
import { buildReplyAddress } from '../../providers/mail/reply-address.ts'
import { insertSend } from '../../db/mail/send-log.ts'
import { mergeTexts } from '../../domain/artists/artists.ts'
import type { Footer } from '../../domain/mail/layout.ts'
import { describeRefusal } from '../../domain/mail/refusals.ts'
import { emailRequest } from '../../domain/mail/request.ts'
import { deriveSubject } from '../../domain/mail/subject.ts'
import { resolveAccount } from '../access/access.ts'
import { ApiError } from '../http/errors.ts'
import { renderTimeoutMs, type Renderer } from '../rendering/renderer.ts'
import { sendMail, sendMailTimeoutMs, type SendResult, type MailDeps } from './delivery.ts'
import { mailWebhookRoute } from './webhook.ts'
import { mebibytes, route, ok, type Route } from '../http/route.ts'

export type EmailDeps = MailDeps & { renderer: Renderer }

type EmailRequest = z.output<typeof emailRequest>
type Recipients = { to: string[]; cc: string[] }

/** Retry delay if the provider reports no delay. */
const providerPauseSeconds = 60

export function emailRoutes(deps: EmailDeps): Route[] {
  return [
    route({
      tag: { name: 'Emails', description: 'Emails sent by an account.' },
      method: 'POST',
      path: '/api/emails',
      summary: 'Send an email',
      description:
        'Without a payment method on file, an account can send email only to its own addresses. With a payment method, it ' +
        'can also send to a limited number of other addresses per day (429). `html` takes precedence over `text`, which is ' +
        'Markdown. Scripts, forms, frames and links with unsupported schemes are removed from both.',
      auth: 'key-or-bearer',
      ownership: 'Sends for the caller, or for an account that the caller may act for.',
      envelope: 'status-code',
      bodyLimit: mebibytes(2),
      rate: 'work',
      idempotent: 'before-validation',
      waitMs: renderTimeoutMs + sendMailTimeoutMs,
      example: { to: ['ada@example.com'], subject: 'Your weekly numbers', text: '# Hello\n\nStreams are **up**.' },
      body: emailRequest,
      bodyOptional: true,
      errorFieldsByStatus: { 403: { disallowed_recipients: z.array(z.string()).optional() } },
      responses: {
        200: z.object({
          success: z.literal(true),
          message: z.string(),
          id: z.string().meta({ description: 'Id of the email at the mail provider.' }),
          refused_recipients: z.array(z.string()).optional().meta({
            description: 'Recipients that the mail server rejected while it accepted the others.',
          }),
        }),
      },
      errors: ['forbidden', 'bad_gateway'],
      authorize: ({ caller, body }) => resolveAccount(deps, caller, body.account_id),
      handle: async ({ caller, body, headers }) => {
        const accountId = await resolveAccount(deps, caller, body.account_id)
        const ownAddresses = await listOwnAddresses(deps.db, accountId)
        const recipients = resolveRecipients(body, ownAddresses)
        await requireAllowedRecipients(deps, accountId, ownAddresses, recipients, body)
        const { subject, text, html } = body
        const otherRecipients = [...recipients.to, ...recipients.cc].filter(
          (address) => !ownAddresses.includes(address),
        )
        await countOtherRecipients(deps, accountId, otherRecipients.length)
        const isOwnMail = otherRecipients.length === 0
        const footer = await buildFooter(deps, accountId, body.chat_id, isOwnMail)
        const result = await sendMail(deps, {
          ...recipients,
          ...(await deps.renderer.mail(accountId, { subject, text, html, footer })),
          headers: body.headers,
          replyTo: isOwnMail ? await buildReplyTo(deps, accountId, body.chat_id) : undefined,
          accountId,
          chatId: body.chat_id,
          reference: deriveReference(caller.accountId, headers['idempotency-key'], body),
        })
        if (!result.sent) throw toSendError(result)
        const { messageId: id, refused } = result
        const refusedRecipients = refused.length > 0 && { refused_recipients: refused }
        return ok({ success: true, message: 'Email sent', id, ...refusedRecipients })
      },
    }),
    mailWebhookRoute(deps),
  ]
}

/** Creates the error for an email that was not sent. It has `Retry-After` if a retry may succeed, and otherwise a reason. */
function toSendError({ busy, error }: Exclude<SendResult, { sent: true }>): ApiError {
  if (busy) return new ApiError('conflict', 'This email is already being sent; retry later', { retryAfter: 1 })
  if (error !== undefined && error.isRetryable && error.kind !== 'timeout')
    return new ApiError('bad_gateway', 'The mail provider does not accept email at the moment', {
      retryAfter: error.retryAfterSeconds ?? providerPauseSeconds,
    })
  const reason = describeRefusal(error?.code)
  const message = 'The email could not be delivered'
  return new ApiError('bad_gateway', reason === undefined ? message : `${message}: ${reason}`)
}

function resolveRecipients({ to, cc = [] }: EmailRequest, ownAddresses: readonly string[]): Recipients {
  const toAddresses = unique(to ?? ownAddresses)
  if (toAddresses.length === 0)
    throw new ApiError('invalid_request', 'to is required: the account has no email address of its own')
  return { to: toAddresses, cc: unique(cc).filter((address) => !toAddresses.includes(address)) }
}

function unique(addresses: readonly string[]): string[] {
  return [...new Set(addresses)]
}

/**
 * Throws 403 if an account without a card on file sends an email to addresses other than its own, and records the rejected
 * email in the send log.
 */
async function requireAllowedRecipients(
  { db, config }: EmailDeps,
  accountId: string,
  ownAddresses: readonly string[],
  { to, cc }: Recipients,
  body: EmailRequest,
): Promise<void> {
  const all = [...to, ...cc]
  const disallowed = all.filter((address) => !ownAddresses.includes(address))
  if (disallowed.length === 0) return
  // Test cards are public, so they must not allow emails to external mailboxes.
  const cardsAreReal = config.PAYMENT_PROVIDER !== 'embedded' || config.MAIL_PROVIDER === 'embedded'
  if (cardsAreReal && (await hasCardOnFile(db, accountId))) return
  await insertSend(db, {
    accountId,
    chatId: body.chat_id,
    recipients: all,
    subject: deriveSubject(body),
    status: 'rejected',
  })
  throw createRecipientError(disallowed)
}

function createRecipientError(disallowed: string[]): ApiError {
  const message = 'Without a payment method on file, an account can send email only to its own addresses'
  return new ApiError('forbidden', message, { body: { error: 403, message, disallowed_recipients: disallowed } })
}

async function countOtherRecipients({ db, config }: EmailDeps, accountId: string, addresses: number): Promise<void> {
  const limit = config.RATE_LIMIT_RECIPIENTS_PER_DAY
  if (limit === 0 || addresses === 0) return
  const { count, resetSeconds } = await incrementCount(db, `recipients-of:${accountId}`, 24 * 3600, addresses)
  if (count > limit)
    throw new ApiError(
      'rate_limited',
      `Too many recipients within a day: at most ${limit} besides your own addresses`,
      { retryAfter: resetSeconds },
    )
}

async function buildFooter(
  deps: EmailDeps,
  accountId: string,
  chatId: string | undefined,
  isOwnMail: boolean,
): Promise<Footer> {
  const { config, log } = deps
  if (chatId === undefined) return {}
  const link = { words: 'Open the chat', url: `${config.webAppUrl.replace(/\/$/, '')}/chat/${chatId}` }
  try {
    return { link, artistName: await findArtistName(deps, accountId, chatId, isOwnMail) }
  } catch (error) {
    log.warn({ err: error }, 'failed to find the artist of a chat for an email footer')
    return { link }
  }
}

/**
 * Returns the Reply-To address of a chat of the account. A reply to this address continues the chat, so only emails to the
 * account itself contain it.
 */
async function buildReplyTo(
  { db, config: { replyBase, SERVER_SECRET: secret = '' } }: EmailDeps,
  accountId: string,
  chatId: string | undefined,
): Promise<string | undefined> {
  if (replyBase === undefined || chatId === undefined) return undefined
  const chat = await findChat(db, chatId)
  return chat?.ownerId === accountId ? buildReplyAddress(secret, replyBase, chat.id) : undefined
}

/**
 * Returns the artist's name as the account has set it for emails to the account itself, and the public name for emails to
 * others.
 */
async function findArtistName(
  { db }: EmailDeps,
  accountId: string,
  chatId: string,
  isOwnMail: boolean,
): Promise<string | undefined> {
  const artistId = await findArtistOfChat(db, accountId, chatId)
  if (artistId === undefined) return undefined
  const { texts, shared } = await readArtist(db, { accountId }, artistId)
  return (isOwnMail ? mergeTexts(texts, shared).name : shared.name) ?? undefined
}

/**
 * Derives the reference of an email from the Idempotency-Key, the caller and the body, so that a repeated request finds the
 * email of an interrupted request. Returns undefined without a key.
 */
function deriveReference(callerId: string, key: string | undefined, body: EmailRequest): string | undefined {
  if (key === undefined) return undefined
  const hash = createHash('sha256')
    .update(`${key}\0${JSON.stringify(body)}`)
    .digest('hex')
  return `email:${callerId}:${hash}`
}
