import { randomUUID } from 'node:crypto'
import { findChat } from '../../db/sessions/chats.ts'
import { listMessages } from '../../db/sessions/messages.ts'
import { findSession } from '../../db/sessions/sessions.ts'
import { mayUseRepository } from '../../db/repositories.ts'
import { claimSlot, insertTurn } from '../../db/turns/accept.ts'
import { promptMessage } from '../../db/turns/headless.ts'
import { closeQuestions } from '../../db/turns/question.ts'
import type { ChatRow } from '../../domain/chat/chats.ts'
import { newRunId } from '../../domain/fields/ids.ts'
import { chatTitleFrom, messageText, type RequestMessage, type StoredMessage } from '../../domain/chat/messages.ts'
import { splitHistory, type OnBusy } from '../../domain/chat/queue.ts'
import { chatNotFound, repositoryDenied } from '../access/owned.ts'
import { requireCredits } from '../credits/gate.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import type { Idempotency } from '../http/route.ts'
import { acceptOrWait, queueLocation, type MayWait, type Queued } from './queue/wait.ts'
import { ChatBusy, passSlotGate } from './slot.ts'
import { startRun } from './start-run.ts'

type InChat = {
  accountId: string
  chatId: string
  prompt: string | undefined
  messages: RequestMessage[] | undefined
  onBusy: OnBusy | 'reject'
  source: 'web' | 'api'
  idempotency: Idempotency
}

/** A headless turn in a chat that is there: accepted, or waiting where the chat is busy and the message says so. */
export async function runInChat(deps: ApiDeps, sent: InChat) {
  const { chatId, onBusy, idempotency } = sent
  const { message, history } = splitHistory(sent.messages ?? [promptMessage(sent.prompt ?? '')])
  if (message === undefined) throw new Error('a turn begins with a message')
  const { sessionId } = await openChat(deps, sent)
  const mayWait: MayWait | undefined =
    onBusy === 'reject'
      ? undefined
      : {
          entry: {
            chatId,
            onBusy,
            message,
            history,
            wholeChat: sent.messages === undefined,
            headless: true,
            source: sent.source,
            contextLimit: undefined,
          },
          remember: (tx, queued) => idempotency.remember(tx, queuedAnswer({ chatId, sessionId }, queued)),
        }
  const done = await acceptOrWait(deps, mayWait, () => accept(deps, sent, message))
  if ('accepted' in done) return done.accepted
  return done.runId === undefined
    ? queuedAnswer({ chatId, sessionId }, done.queued)
    : runAnswer({ runId: done.runId, chatId, sessionId })
}

export function runAnswer(body: { runId: string; chatId: string; sessionId: string }) {
  const headers = { location: `/api/chat/runs/${body.runId}`, 'x-workflow-run-id': body.runId }
  return { status: 202 as const, headers, body }
}

function queuedAnswer({ chatId, sessionId }: { chatId: string; sessionId: string }, queued: Queued) {
  return {
    status: 202 as const,
    headers: { location: queueLocation(chatId, queued) },
    body: { queued, chatId, sessionId },
  }
}

/** The chat, where a run may work for this account. */
async function openChat({ db }: ApiDeps, { chatId, accountId }: InChat): Promise<ChatRow> {
  const chat = await findChat(db, chatId)
  const session = chat && (await findSession(db, chat.sessionId))
  if (chat === undefined || session === undefined) throw chatNotFound()
  if (session.ownerId !== accountId) throw new ApiError('forbidden', 'Forbidden')
  if (!(await mayUseRepository(db, session))) throw repositoryDenied()
  if (session.lifecycleState === 'archived') throw new ApiError('conflict', 'Session is archived')
  return chat
}

async function accept(deps: ApiDeps, sent: InChat, message: StoredMessage) {
  const { db, config } = deps
  const { accountId, idempotency } = sent
  const chat = await openChat(deps, sent)
  await requireCredits(deps, accountId)
  await passSlotGate(deps, chat)
  const runId = newRunId()
  const input = sent.messages ?? [...((await listMessages(db, chat.id, { limit: 1000 }))?.messages ?? []), message]
  const answer = runAnswer({ runId, chatId: chat.id, sessionId: chat.sessionId })
  await db.begin(async (tx) => {
    if (!(await claimSlot(tx, chat.id, runId))) throw new ChatBusy()
    await closeQuestions(tx, chat.id)
    await insertTurn(tx, {
      runId,
      accountId,
      sessionId: chat.sessionId,
      chatId: chat.id,
      assistantMessageId: randomUUID(),
      headless: true,
      source: sent.source,
      modelId: chat.modelId ?? config.defaultModel,
      contextLimit: undefined,
      input,
      userMessage: message,
      title: chatTitleFrom(messageText(message)),
    })
    await idempotency.remember(tx, answer)
  })
  startRun(deps, runId, { headless: true })
  return answer
}
