import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { findInboxMessage, listInboxMessages, type InboxMessage } from '../../db/mail/inbox.ts'
import { insertReply } from '../../db/mail/replies.ts'
import type { ReceivedMail } from '../../domain/mail/reply.ts'
import { storableText } from '../../domain/fields/storable.ts'
import { parseReplyAddress } from '../../providers/mail/reply-address.ts'
import { readForm } from '../http/body/form.ts'
import { normalizeEmail } from '../../domain/mail/addresses.ts'
import { queryInteger } from '../../domain/fields/fields.ts'
import { embeddedPageHeaders } from '../../providers/embedded-page.ts'
import { isInboxToken } from '../../providers/mail/embedded.ts'
import { notFound } from '../http/errors.ts'
import type { HeaderRecord } from '../http/answers/headers.ts'
import { listPage, messagePage, type MailSummary, type MailDetails } from './inbox-pages.ts'
import { emptyResponse, kibibytes, route, streamedResponse, type Route } from '../http/route.ts'
import type { RouteDeps } from '../deps.ts'
import type { Renderer } from '../rendering/renderer.ts'

type InboxDeps = RouteDeps & { renderer: Renderer }

const routeDefaults = {
  method: 'GET',
  tag: { name: 'Inbox', description: 'The mailboxes of the embedded email provider, for development.' },
  description:
    'The mailboxes of the embedded email provider. Development only. HTML, or JSON for `Accept: application/json`. The ' +
    'token is in the URL that `npm start` prints.',
  auth: 'none',
  ownership: 'Anyone with the token of the deployment can read every email.',
  envelope: 'standard',
  bodyLimit: 0,
  rate: 'default',
  embedded: true,
} as const

const maxReplyBytes = kibibytes(256)

// The page shows the HTML of an email in a frame, to which this policy gives no origin and no network access.
const mailPolicy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
const pageHeaders = embeddedPageHeaders({ frames: true })
const mailHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': mailPolicy,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

/** Returns the routes of the inbox pages; an empty list in production mode or with an external email provider. */
export function inboxRoutes({ config, db, renderer }: InboxDeps): Route[] {
  if (config.PRODUCTION_MODE || config.MAIL_PROVIDER !== 'embedded') return []
  const secret = config.SERVER_SECRET ?? ''
  const requireToken = ({ params }: { params: { token: string } }): Promise<void> =>
    isInboxToken(secret, params.token) ? Promise.resolve() : Promise.reject(notFound())
  const readMail = async (id: string): Promise<MailDetails> => {
    const message = await findInboxMessage(db, id)
    if (message === undefined) throw notFound()
    return { ...toMailSummary(message), ...(await renderer.message('inbox', message.raw)) }
  }
  const findChat = ({ headers }: MailDetails): string | undefined => {
    const address = headers.find(({ name }) => name.toLowerCase() === 'reply-to')?.value
    return address === undefined || config.replyBase === undefined
      ? undefined
      : parseReplyAddress(secret, config.replyBase, address.trim())
  }
  const params = z.object({ token: z.string(), id: z.string() })
  return [
    route({
      ...routeDefaults,
      path: '/inbox/{token}',
      summary: 'List the emails, newest first',
      params: z.object({ token: z.string() }),
      query: z.object({
        to: z.string().optional().meta({ description: 'Returns only emails to this recipient.' }),
        limit: queryInteger(1, 100, 50),
        offset: queryInteger(0, 1_000_000, 0),
      }),
      responses: {
        200: streamedResponse(
          'text/html',
          'A page, or JSON: `{messages: [{id, recipients, subject, received_at, text}]}`.',
        ),
      },
      errors: ['invalid_request', 'not_found', 'misdirected_request'],
      authorize: requireToken,
      handle: async ({ params: { token }, query, headers }) => {
        const recipient = query.to && (normalizeEmail(query.to) ?? query.to)
        const messages = (await listInboxMessages(db, { ...query, recipient })).map(toMailSummary)
        if (!wantsJson(headers['accept'])) return asHtml(listPage(token, messages, { ...query, to: recipient }))
        return asJson({ messages: await Promise.all(messages.map(async ({ id }) => withoutHtml(await readMail(id)))) })
      },
    }),
    route({
      ...routeDefaults,
      path: '/inbox/{token}/{id}',
      summary: 'Show an email',
      params,
      query: z.object({ replied: z.literal('true').optional() }),
      responses: {
        200: streamedResponse(
          'text/html',
          'A page, or JSON: `{id, from, to, cc, subject, text, html, headers, received_at}`.',
        ),
      },
      errors: ['invalid_request', 'not_found', 'misdirected_request'],
      authorize: requireToken,
      handle: async ({ params: { token, id }, query: { replied }, headers }) => {
        const mail = await readMail(id)
        if (wantsJson(headers['accept'])) return asJson(mail)
        const replyKey = findChat(mail) === undefined ? undefined : randomUUID()
        return asHtml(messagePage(token, mail, { replyKey, hasReplied: replied === 'true' }))
      },
    }),
    route({
      ...routeDefaults,
      method: 'POST',
      path: '/inbox/{token}/{id}/reply',
      summary: 'Reply to an email of a chat',
      ownership: 'Anyone with the token of the deployment can reply from any email address.',
      description:
        'Delivers a reply of the recipient. The form contains `from`, `text` and `headers`, with one header per line. The ' +
        'chat shows the result. A form whose `key` was sent before has no effect.',
      params,
      bodyLimit: maxReplyBytes,
      streamedBody: 'application/x-www-form-urlencoded',
      responses: {
        200: streamedResponse('text/html', 'The page of the email, if the form was empty.'),
        303: emptyResponse('The page of the email.'),
      },
      errors: ['forbidden', 'not_found', 'misdirected_request', 'payload_too_large', 'unsupported_media_type'],
      authorize: requireToken,
      handle: async ({ params: { token, id }, readBody }) => {
        const mail = await readMail(id)
        const chatId = findChat(mail)
        if (chatId === undefined) throw notFound()
        const form = await readForm(readBody, maxReplyBytes)
        if ((form.get('text') ?? '').trim() === '')
          return asHtml(messagePage(token, mail, { replyKey: randomUUID(), hasReplied: false }))
        const key = z.guid().safeParse(form.get('key')).data ?? randomUUID()
        await insertReply(db, { providerKey: `inbox:${id}:${key}`, chatId, content: toReceivedMail(form) })
        return { status: 303 as const, headers: { location: `/inbox/${token}/${id}?replied=true` } }
      },
    }),
    route({
      ...routeDefaults,
      path: '/inbox/{token}/{id}/html',
      summary: 'Show the HTML part of an email in a frame',
      params,
      responses: { 200: streamedResponse('text/html', 'The part as it was sent, in a sandbox.') },
      errors: ['not_found', 'misdirected_request'],
      authorize: requireToken,
      handle: async ({ params: { id } }) => asHtml((await readMail(id)).html, mailHeaders),
    }),
  ]
}

/** Converts a submitted reply form to a received email. */
function toReceivedMail(form: URLSearchParams): ReceivedMail {
  const lines = (form.get('headers') ?? '').split(/\r?\n/).flatMap((line) => {
    const [, name, value = ''] = /^([A-Za-z-]+):(.*)$/.exec(line) ?? []
    return name === undefined ? [] : [[name.toLowerCase(), storableText(value.trim())]]
  })
  return {
    from: storableText(form.get('from') ?? ''),
    text: storableText(form.get('text') ?? ''),
    html: '',
    headers: Object.fromEntries(lines) as Record<string, string>,
    // This inbox is the email provider, and it has verified the token in the URL.
    isAuthenticated: true,
  }
}

function toMailSummary({ receivedAt, id, recipients, subject }: InboxMessage): MailSummary {
  return { id, recipients, subject, received_at: receivedAt.toISOString() }
}

function wantsJson(accept: string | undefined): boolean {
  return accept !== undefined && accept.includes('application/json') && !accept.includes('text/html')
}

function asHtml(body: string, headers: HeaderRecord = pageHeaders) {
  return { status: 200, headers, body } as const
}

function asJson(value: unknown) {
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(value),
  } as const
}

/** Returns a list entry: an email without its HTML and headers. */
function withoutHtml({ html: _html, headers: _headers, ...mail }: MailDetails) {
  return mail
}
