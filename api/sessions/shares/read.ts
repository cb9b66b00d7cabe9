import { z } from 'zod'
import { findOpenShare } from '../../../db/sessions/shares.ts'
import { html } from '../../../domain/pages/html.ts'
import { embeddedPage, embeddedPageHeaders } from '../../../providers/embedded-page.ts'
import { route, streamedResponse, type Route, type Tag } from '../../http/route.ts'
import { renderTimeoutMs } from '../../rendering/renderer.ts'
import { createSharedPages, type ShareDeps } from './pages.ts'

// The URL contains the token, so browsers must not send it as the referrer, and no cache may store the page.
const headers = {
  ...embeddedPageHeaders({ forms: false }),
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'private, no-store',
}

export function sharedPageRoute(deps: ShareDeps): Route {
  const pages = createSharedPages(deps)
  return route({
    method: 'GET',
    path: '/share/{token}',
    tag: sharesTag,
    summary: 'Read a shared chat',
    description: 'Returns an HTML page without scripts or external content.',
    auth: 'none',
    ownership: 'Anyone with the URL, until it expires or is revoked.',
    envelope: 'plain',
    bodyLimit: 0,
    rate: 'anonymous',
    waitMs: renderTimeoutMs,
    params: z.object({ token: z.string() }),
    query: z.object({ before: z.string().optional() }),
    responses: {
      200: streamedResponse('text/html', 'The last page of the chat, or the page before the message in `before`.'),
      404: streamedResponse('text/html', 'The link is unknown, revoked or expired.'),
    },
    handle: async ({ params, query }) => {
      const share = await findOpenShare(deps.db, params.token)
      const page = share && (await pages.read(share, query.before))
      return page === undefined
        ? { status: 404, headers, body: shareNotFoundPage() }
        : { status: 200, headers, body: page }
    },
  })
}

/** Renders the page for a revoked, expired or unknown link, which does not reveal which of these applies. */
function shareNotFoundPage(): string {
  return embeddedPage({
    title: 'Link not available',
    content: html`<p>This link is invalid or has expired. Ask the person who sent it for a new one.</p>`,
  })
}

export const sharesTag: Tag = { name: 'Shares', description: 'Read-only links to chats, and the pages that they show.' }
