import { LRUCache } from 'lru-cache'
import { listMessages } from '../../../db/sessions/messages.ts'
import type { OpenShare } from '../../../db/sessions/shares.ts'
import type { StoredMessage } from '../../../domain/chat/messages.ts'
import type { RouteDeps } from '../../deps.ts'
import type { Renderer } from '../../rendering/renderer.ts'

export type ShareDeps = RouteDeps & { renderer: Renderer }

const pageSize = 50
const maxBytes = 32 * 1024 * 1024
/** Time for which a page is cached. Later, it shows changes of the title or of a question's answer. */
const maxAgeMs = 60_000

type PageRequest = { share: OpenShare; before: string | undefined }

export type SharedPages = {
  /**
   * Returns the page that ends before the message `before`, or the last page by default; undefined if the share does not
   * contain this message.
   */
  read(share: OpenShare, before: string | undefined): Promise<Buffer | undefined>
}

/**
 * Renders and caches the pages of shares. A share always ends at the same message, so a rendered page is cached for
 * `maxAgeMs`. Concurrent readers wait for the same rendering.
 */
export function createSharedPages({ db, renderer }: Pick<ShareDeps, 'db' | 'renderer'>): SharedPages {
  const render = async ({ share, before }: PageRequest): Promise<Buffer | undefined> => {
    const { branchId: branch, lastPosition: through } = share
    const page = await listMessages(db, share.chatId, { before, limit: pageSize, branch, through })
    if (page === undefined) return undefined
    const messages = page.messages.map((message) => toSharedMessage(message, share))
    const html = await renderer.sharedPage(share.ownerId, { share, ...page, messages, isEnd: before === undefined })
    return Buffer.from(html)
  }
  const pages = new LRUCache<string, Buffer, PageRequest>({
    maxSize: maxBytes,
    sizeCalculation: ({ byteLength }) => byteLength,
    ttl: maxAgeMs,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context }) => render(context),
  })
  return {
    read: (share, before) => pages.fetch(`${share.id} ${before ?? ''}`, { context: { share, before } }),
  }
}

/** Returns a message without the parts that were added after the chat was shared. */
function toSharedMessage(message: StoredMessage, { lastMessageId, lastParts }: OpenShare): StoredMessage {
  return message.id === lastMessageId ? { ...message, parts: message.parts.slice(0, lastParts) } : message
}
