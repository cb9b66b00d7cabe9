import { LRUCache } from 'lru-cache'
import { listMessages } from '../../../db/sessions/messages.ts'
import type { OpenShare } from '../../../db/sessions/shares.ts'
import type { StoredMessage } from '../../../domain/chat/messages.ts'
import type { ApiDeps } from '../../deps.ts'

const pageSize = 50
const maxBytes = 32 * 1024 * 1024
/** Later changes of a shared question or title appear after this time. */
const maxAgeMs = 60_000

type PageRequest = { share: OpenShare; before: string | undefined }

export type SharedPages = {
  /**
   * Returns the page that ends before a message, or else the last one. Undefined when the share has no such message.
   */
  read(share: OpenShare, before: string | undefined): Promise<Buffer | undefined>
}

/**
 * Pages of shares. A share always ends at the same message, so its pages are rendered once and cached for a while;
 * concurrent readers wait for the same rendering.
 */
export function createSharedPages({ db, renderer }: Pick<ApiDeps, 'db' | 'renderer'>): SharedPages {
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

/** Returns a message as it was when the chat was shared, without the parts added later. */
function toSharedMessage(message: StoredMessage, { lastMessageId, lastParts }: OpenShare): StoredMessage {
  return message.id === lastMessageId ? { ...message, parts: message.parts.slice(0, lastParts) } : message
}
