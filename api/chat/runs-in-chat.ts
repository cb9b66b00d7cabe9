import { randomUUID } from 'node:crypto'
import { findChat } from '../../db/sessions/chats.ts'
import { listMessages } from '../../db/sessions/messages.ts'
import { findSession, lockSession } from '../../db/sessions/sessions.ts'
import { mayUseRepository } from '../../db/repositories/access.ts'
import { insertTurn } from '../../db/turns/insert-turn.ts'
import { claimSlot } from '../../db/turns/slot.ts'
import { promptMessage } from '../../db/turns/headless.ts'
import { closeQuestions } from '../../db/turns/questions/question.ts'
import { findInterrupting } from '../../db/turns/queue/queue.ts'
import type { ChatRow } from '../../domain/chat/chats.ts'
import { newRunId } from '../../domain/fields/ids.ts'
import { chatTitleFrom, messageText, type RequestMessage, type StoredMessage } from '../../domain/chat/messages.ts'
import { splitHistory, type OnBusy } from '../../domain/chat/queue.ts'
import type { Origin } from '../../domain/runs/origin.ts'
import type { SessionRow } from '../../domain/sessions/sessions.ts'
import { repositoryDenied } from '../access/owned.ts'
import { requireCredits } from '../credits/gate.ts'
import type { DbDeps } from '../deps.ts'
import { ApiError, notFound } from '../http/errors.ts'
import type { Idempotency, StoredResponse } from '../http/route.ts'
import { acceptOrQueue, queueLocation, type QueueRequest, type QueuedMessage } from './queue/wait.ts'
import { ChatBusyError, requireFreeSlot } from './busy.ts'
import { startRun, type ChatStartDeps } from './start-run.ts'

type ChatRunRequest = {
  accountId: string
  chatId: string
  prompt: string | undefined
  messages: RequestMessage[] | undefined
  onBusy: OnBusy | 'reject'
  origin: Origin
  idempotency: Idempotency
}

/** Starts a headless turn in an existing chat. If the chat is busy and `onBusy` allows it, queues the message instead. */
export async function runInChat(deps: ChatStartDeps, request: ChatRunRequest) {
  const { chatId, onBusy, idempotency } = request
  const { message, history } = splitHistory(request.messages ?? [promptMessage(request.prompt ?? '')])
  if (message === undefined) throw new Error('a turn begins with a message')
  const { sessionId } = await requireUsableChat(deps, request)
  const queueRequest: QueueRequest | undefined =
    onBusy === 'reject'
      ? undefined
      : {
          entry: {
            chatId,
            onBusy,
            message,
            history,
            isWholeChat: request.messages === undefined,
            headless: true,
            origin: request.origin,
            contextLimit: undefined,
          },
          remember: (tx, queued) => idempotency.remember(tx, queuedResponse({ chatId, sessionId }, queued)),
        }
  const outcome = await acceptOrQueue(deps, queueRequest, () => accept(deps, request, message))
  if ('accepted' in outcome) return outcome.accepted
  return outcome.runId === undefined
    ? queuedResponse({ chatId, sessionId }, outcome.queued)
    : runResponse({ runId: outcome.runId, chatId, sessionId })
}

/**
 * Returns the response to a repeated idempotency key: the stored response or, if the queued message has since
 * interrupted a turn, the run that it started.
 */
export async function buildReplay({ db }: DbDeps, stored: StoredResponse) {
  const body = stored.body as RunBody | (Omit<RunBody, 'runId'> & { queued: QueuedMessage })
  if ('runId' in body) return runResponse(body)
  const runId = await findInterrupting(db, body.queued.id)
  return runId === undefined ? queuedResponse(body, body.queued) : runResponse({ ...body, runId })
}

type RunBody = { runId: string; chatId: string; sessionId: string }

export function runResponse({ runId, chatId, sessionId }: RunBody) {
  const headers = { location: `/api/chat/runs/${runId}`, 'x-workflow-run-id': runId }
  return { status: 202 as const, headers, body: { runId, chatId, sessionId } }
}

function queuedResponse({ chatId, sessionId }: { chatId: string; sessionId: string }, queued: QueuedMessage) {
  return {
    status: 202 as const,
    headers: { location: queueLocation(chatId, queued) },
    body: { queued, chatId, sessionId },
  }
}

/** Returns the chat. Throws unless the account may start a run in it. */
async function requireUsableChat({ db }: ChatStartDeps, { chatId, accountId }: ChatRunRequest): Promise<ChatRow> {
  const chat = await findChat(db, chatId)
  const session = chat && (await findSession(db, chat.sessionId))
  if (chat === undefined || session === undefined) throw notFound('Chat')
  if (session.ownerId !== accountId) throw new ApiError('forbidden', 'Forbidden')
  if (!(await mayUseRepository(db, session))) throw repositoryDenied()
  requireUnarchived(session)
  return chat
}

function requireUnarchived(session: SessionRow | undefined): void {
  if (session === undefined) throw notFound('Chat')
  if (session.lifecycleState === 'archived') throw new ApiError('conflict', 'Session is archived')
}

async function accept(deps: ChatStartDeps, request: ChatRunRequest, message: StoredMessage) {
  const { db, config } = deps
  const { accountId, idempotency } = request
  const chat = await requireUsableChat(deps, request)
  await requireCredits(deps, accountId)
  await requireFreeSlot(deps, chat)
  const runId = newRunId()
  const input = request.messages ?? [...((await listMessages(db, chat.id, { limit: 1000 }))?.messages ?? []), message]
  const response = runResponse({ runId, chatId: chat.id, sessionId: chat.sessionId })
  await db.begin(async (tx) => {
    // The session is checked under its lock, so that it cannot be archived before the turn is stored.
    requireUnarchived(await lockSession(tx, chat.sessionId))
    if (!(await claimSlot(tx, chat.id, runId))) throw new ChatBusyError()
    await closeQuestions(tx, chat.id)
    await insertTurn(tx, {
      runId,
      accountId,
      sessionId: chat.sessionId,
      chatId: chat.id,
      assistantMessageId: randomUUID(),
      headless: true,
      origin: request.origin,
      modelId: chat.modelId ?? config.defaultModel,
      contextLimit: undefined,
      input,
      userMessage: message,
      title: chatTitleFrom(messageText(message)),
    })
    await idempotency.remember(tx, response)
  })
  startRun(deps, runId, { accountId, headless: true })
  return response
}
