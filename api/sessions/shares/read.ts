import { z } from 'zod'
import { listMessages } from '../../../db/sessions/messages.ts'
import { findOpenShare, type OpenShare } from '../../../db/sessions/shares.ts'
import type { StoredMessage } from '../../../domain/chat/messages.ts'
import { embeddedPageHeaders } from '../../../providers/embedded-page.ts'
import type { ApiDeps } from '../../deps.ts'
import { route, streamed, type Route } from '../../http/route.ts'
import { goneSharePage, sharedChatPage } from './page.ts'
import { sharesTag } from './tag.ts'

const pageSize = 50

// The token is in the address: it is told to nobody, and nobody keeps the page.
const headers = {
  ...embeddedPageHeaders({ forms: false }),
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'private, no-store',
}

export function sharedPageRoute({ db }: ApiDeps): Route {
  return route({
    method: 'GET',
    path: '/share/{token}',
    tag: sharesTag,
    summary: 'Read a shared chat',
    description: 'A page for people, without scripts and without anything from elsewhere.',
    auth: 'none',
    ownership: 'Whoever has the address, until it expires or is revoked.',
    envelope: 'plain',
    bodyLimit: 0,
    rate: 'default',
    params: z.object({ token: z.string() }),
    query: z.object({ before: z.string().optional() }),
    responses: {
      200: streamed('text/html', 'The end of the chat, or what is before the message `before`.'),
      404: streamed('text/html', 'The link is unknown, revoked or expired.'),
    },
    errors: [],
    handle: async ({ params, query }) => {
      const share = await findOpenShare(db, params.token)
      const { branchId: branch = null, lastPosition: through = 0 } = share ?? {}
      const page = share && (await listMessages(db, share.chatId, { ...query, limit: pageSize, branch, through }))
      if (share === undefined || page === undefined) return { status: 404, headers, body: goneSharePage() }
      const messages = page.messages.map((message) => asShared(message, share))
      const isEnd = query.before === undefined
      return { status: 200, headers, body: sharedChatPage(share, { ...page, messages, isEnd }) }
    },
  })
}

/** An answer that went on later is shown as it was. */
function asShared(message: StoredMessage, { lastMessageId, lastParts }: OpenShare): StoredMessage {
  return message.id === lastMessageId ? { ...message, parts: message.parts.slice(0, lastParts) } : message
}
