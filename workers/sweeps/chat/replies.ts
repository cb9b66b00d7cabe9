import { coverTurn } from '../../../db/credits/credits.ts'
import { listOwnAddresses } from '../../../db/mail/recipients.ts'
import {
  acceptReply,
  ignoreReply,
  storeReplyText,
  listReceivedReplies,
  postponeRead,
  type ReplyRow,
} from '../../../db/mail/replies.ts'
import { findChat } from '../../../db/sessions/chats.ts'
import { explainIgnoredReply, replyText, type ReplyRejection } from '../../../domain/mail/reply.ts'
import { startTurn } from '../../../engine/turns.ts'
import type { SweeperDeps } from '../runtime/deps.ts'
import type { Sweep } from '../runtime/loop.ts'

export const replySweeps: Sweep[] = [{ name: 'answer replies', everySeconds: 2, alone: true, run: processReplies }]

const readTimeoutMs = 10_000
/** Maximum age of a reply that waits because its chat is busy or the provider is unavailable. */
const maxAgeMs = 24 * 60 * 60 * 1000

/** Continues chats that have received an email reply. */
function processReplies(deps: SweeperDeps): Promise<void> {
  const { db, log } = deps
  return deps.eachRow(
    'answer replies',
    (page) => listReceivedReplies(db, page),
    async (reply) => {
      const reason = await processReply(deps, reply)
      if (reason === undefined) return
      await ignoreReply(db, reply.id, reason)
      log.info({ replyId: reply.id, chatId: reply.chatId, reason }, 'ignored an email reply')
    },
  )
}

/** Processes a reply. Returns the reason to ignore it; undefined when it was accepted or will be retried. */
async function processReply(deps: SweeperDeps, reply: ReplyRow): Promise<ReplyRejection | undefined> {
  const { db, settings } = deps
  if (Date.now() - reply.receivedAt.getTime() > maxAgeMs) return 'too_late'
  const chat = await findChat(db, reply.chatId)
  if (chat === undefined) return 'gone'
  const content = reply.words === null ? await readText(deps, reply, chat.ownerId) : { text: reply.words }
  if ('reason' in content) return content.reason
  const { plans, requireCredits, defaultModel } = settings.turns
  if (requireCredits && !(await coverTurn(db, { accountId: chat.ownerId, plans })).covered) return 'no_credits'
  const turn = { id: reply.id, chatId: chat.id, text: content.text, defaultModel }
  const accepted = await db.begin((tx) => acceptReply(tx, turn))
  if (accepted === undefined) return undefined
  if ('reason' in accepted) return accepted.reason === 'busy' ? undefined : accepted.reason
  // The sweep of queued runs starts a run that cannot start now.
  await startTurn(deps, accepted.runId, { headless: true })
  return undefined
}

/** Reads and stores the text of a reply, so that the provider is called only once even while the chat is busy. */
async function readText(
  { db, mail: { inbound } }: SweeperDeps,
  { id, providerKey, content }: ReplyRow,
  ownerId: string,
): Promise<{ text: string } | { reason: ReplyRejection }> {
  const mail =
    content ??
    (await inbound?.read(providerKey, AbortSignal.timeout(readTimeoutMs)).catch(async (error: unknown) => {
      await postponeRead(db, id)
      throw error
    }))
  if (mail === undefined) return { reason: 'gone' }
  const reason = explainIgnoredReply(mail, await listOwnAddresses(db, ownerId))
  if (reason !== undefined) return { reason }
  // Loaded on first use, because few workers read a reply.
  const { htmlToPlain } = await import('../../../domain/mail/plain.ts')
  const text = replyText(mail, htmlToPlain)
  if (text === '') return { reason: 'empty' }
  await storeReplyText(db, id, text)
  return { text }
}
