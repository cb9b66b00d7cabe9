import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { findChat } from '../../db/sessions/chats.ts'
import type { Tx } from '../../db/postgres/client.ts'
import { insertTurn } from '../../db/turns/insert-turn.ts'
import { claimSlot, touchActiveSandbox } from '../../db/turns/slot.ts'
import { resumeCalls } from '../../db/turns/questions/approvals.ts'
import { findInterrupting } from '../../db/turns/queue/queue.ts'
import { answerQuestion, closeQuestion, closeQuestions, lockOpenQuestions } from '../../db/turns/questions/question.ts'
import { isApprovalRequest } from '../../domain/chat/approvals.ts'
import { onBusySchema, queuedSchema, splitHistory } from '../../domain/chat/queue.ts'
import { uuid } from '../../domain/fields/fields.ts'
import { newRunId } from '../../domain/fields/ids.ts'
import {
  answersApproval,
  findAnswer,
  chatTitleFrom,
  messageText,
  requestMessages,
  toStoredMessage,
  type MessagePart,
  type RequestMessage,
  type StoredMessage,
} from '../../domain/chat/messages.ts'
import { lifecycleTimes } from '../../domain/sandboxes/lifecycle.ts'
import { isSandboxActive } from '../../domain/sessions/sessions.ts'
import { invalidField, notFound, type ApiError } from '../http/errors.ts'
import { requireUsableSession } from '../access/owned.ts'
import { requireCredits } from '../credits/gate.ts'
import { wakeIfNeeded, notInitialized } from '../sandboxes/lifecycle.ts'
import type { LiveBody } from '../http/answers/live.ts'
import { mebibytes, route, streamedResponse, ok, type Request, type Route } from '../http/route.ts'
import { beginEventStream, openEventStream, streamHeaders } from '../streams/sse.ts'
import { acceptOrQueue, queueLocation, type QueueRequest, type QueuedMessage } from './queue/wait.ts'
import { ChatBusyError, requireFreeSlot } from './busy.ts'
import { idleTimeoutMs, startRun, streamTimes, type ChatDeps } from './start-run.ts'
import { chatTag } from './tag.ts'
import {
  announceVersion,
  mayCreateVersion,
  beginVersion,
  restoresFiles,
  versionFields,
  type TurnIds,
  type Version,
} from './versions.ts'

const bodySchema = z
  .object({
    messages: requestMessages,
    chatId: uuid,
    sessionId: uuid,
    onBusy: onBusySchema.optional(),
    context: z.object({ contextLimit: z.int().min(1).max(2_147_483_647) }).optional(),
    ...versionFields,
  })
  .refine((body) => body.restoreFiles !== true || mayCreateVersion(body), {
    error: 'restoreFiles requires trigger regenerate-message, editOf or messageId',
    path: ['restoreFiles'],
  })

type SendRequest = Request<undefined, undefined, z.output<typeof bodySchema>>

export function sendRoute(deps: ChatDeps): Route {
  const { db, config } = deps

  const replay = (runId: string) => {
    const { body, opened } = openEventStream(deps.streams, runId, 0, streamTimes(config))
    opened.catch((error: unknown) => deps.log.warn({ err: error, runId }, 'failed to open the stream'))
    return streamResponse(runId, body)
  }

  /** Wraps `accept`: while the chat is busy, a request whose `onBusy` allows queueing is queued instead. */
  const withQueue = <A>(accept: (request: SendRequest) => Promise<A>) => {
    return async (request: SendRequest) => {
      const outcome = await acceptOrQueue(deps, await buildQueueRequest(deps, request), () => accept(request))
      if ('accepted' in outcome) return outcome.accepted
      const { queued, runId } = outcome
      return runId === undefined ? queuedResponse(request.body.chatId, queued) : replay(runId)
    }
  }

  /** Records activity of the session and claims the chat's slot. Throws if the sandbox is inactive or the chat is busy. */
  const claimTurnSlot = async (tx: Tx, { sessionId, chatId, runId }: TurnIds): Promise<void> => {
    const { expiryBufferMs } = lifecycleTimes(config)
    const [isActive, isClaimed] = await Promise.all([
      touchActiveSandbox(tx, sessionId, idleTimeoutMs(config), expiryBufferMs),
      claimSlot(tx, chatId, runId),
    ])
    if (!isActive) throw notInitialized()
    if (!isClaimed) throw new ChatBusyError()
  }

  return route({
    method: 'POST',
    path: '/api/chat',
    tag: chatTag,
    summary: 'Send a message and stream the response',
    description:
      'The turn runs as a durable workflow. A lost connection does not stop it: resume with GET /api/chat/{chatId}/stream. ' +
      'With `trigger` set to `regenerate-message`, or with `editOf`, the turn creates a branch of the chat and answers on it.',
    auth: 'key',
    ownership: 'Session and chat must belong to the caller.',
    envelope: 'standard',
    bodyLimit: mebibytes(10),
    rate: 'starts',
    idempotent: true,
    // Approving a tool call widens access: an agent must not approve its own calls.
    widensAccess: ({ body }) => answersApproval(body.messages),
    example: {
      sessionId: '5d4c3b2a-1f0e-4d9c-8b7a-6f5e4d3c2b1a',
      chatId: '3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42',
      messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Plan a tour of five cities.' }] }],
    },
    body: bodySchema,
    responses: {
      200: streamedResponse('text/event-stream', 'UI message parts, one event each, then `[DONE]`'),
      202: z.object({ queued: queuedSchema }).meta({ description: 'The chat is busy; the message is queued.' }),
    },
    errors: ['sandbox_not_initialized', 'insufficient_credits', 'not_found'],
    handle: withQueue(async ({ caller, body, idempotency }) => {
      const [session, chat] = await Promise.all([
        requireUsableSession(db, caller, body.sessionId),
        findChat(db, body.chatId),
      ])
      if (chat?.sessionId !== session.id) throw notFound('Chat')
      await requireCredits(deps, caller.accountId)
      const { expiryBufferMs } = lifecycleTimes(config)
      if (!isSandboxActive(session, expiryBufferMs)) throw notInitialized()
      await requireFreeSlot(deps, chat)

      const runId = newRunId()
      const modelId = chat.modelId ?? config.defaultModel
      const last = body.messages.at(-1)!
      const sentMessage: StoredMessage | undefined = isFromUser(last) ? toStoredMessage(last) : undefined
      const assistantMessageId = sentMessage === undefined ? last.id : randomUUID()
      const ids: TurnIds = { chatId: chat.id, sessionId: session.id, runId, assistantMessageId }
      const { log, version } = await db.begin(async (tx) => {
        const slotClaim = claimTurnSlot(tx, ids)
        const version = mayCreateVersion(body) ? await slotClaim.then(() => beginVersion(tx, ids, body)) : undefined
        const userMessage = version === undefined ? sentMessage : version.userMessage
        const isAnswer = version === undefined && userMessage === undefined
        // The statements are pipelined. If one fails, the transaction rolls back all of them.
        const [, answers, log] = await settleInOrder([
          slotClaim,
          isAnswer ? storeAnswers(tx, chat.id, last) : closeReplacedQuestions(tx, chat.id, version),
          insertTurn(tx, {
            runId,
            accountId: session.ownerId,
            sessionId: session.id,
            chatId: chat.id,
            assistantMessageId,
            headless: false,
            origin: caller.origin,
            modelId,
            contextLimit: body.context?.contextLimit,
            input: version?.input ?? body.messages,
            userMessage,
            title: userMessage === undefined ? '' : chatTitleFrom(messageText(userMessage)),
          }),
          idempotency.remember(tx, ok({ runId })),
        ])
        await resumeCalls(tx, { runId, modelId }, answers)
        if (version !== undefined) await announceVersion(tx, ids, version, body)
        return { log, version }
      })
      startRun(deps, runId, {
        accountId: session.ownerId,
        headless: false,
        bounded: 'run' in caller.origin,
        restoresFiles: restoresFiles(version),
        machineId: session.sandboxState?.machine,
      })
      if (version !== undefined) deps.notifier.wake(runId)
      wakeIfNeeded(deps, session)
      return streamResponse(runId, beginEventStream(deps.streams, log, streamTimes(config)))
    }),
    replay: async (stored) => {
      if (stored.status !== 202) return replay((stored.body as { runId: string }).runId)
      const { queued } = stored.body as { queued: QueuedMessage }
      const { headers = {} } = stored
      const runId = await findInterrupting(db, queued.id)
      return runId === undefined ? { status: 202 as const, headers, body: { queued } } : replay(runId)
    },
  })
}

/** Waits for all promises and returns their results. If several fail, throws the error of the earliest in the list. */
async function settleInOrder<T extends readonly unknown[]>(all: [...T]): Promise<{ [At in keyof T]: Awaited<T[At]> }> {
  for (const result of await Promise.allSettled(all)) if (result.status === 'rejected') throw result.reason
  return Promise.all(all)
}

function streamResponse(runId: string, body: LiveBody) {
  return { status: 200 as const, headers: streamHeaders(runId), body }
}

function queuedResponse(chatId: string, queued: QueuedMessage) {
  return { status: 202 as const, headers: { location: queueLocation(chatId, queued) }, body: { queued } }
}

/**
 * Builds the queue request of a message; undefined if the message must not be queued. Only a new user message may be
 * queued: an answer or another version of a message refers to the current state of the chat.
 */
async function buildQueueRequest(
  { db }: ChatDeps,
  { caller, body, idempotency }: SendRequest,
): Promise<QueueRequest | undefined> {
  const { onBusy, chatId, messages } = body
  const { message, history } = splitHistory(messages)
  if (onBusy === undefined || onBusy === 'reject' || message === undefined || mayCreateVersion(body)) return undefined
  const [session, chat] = await Promise.all([requireUsableSession(db, caller, body.sessionId), findChat(db, chatId)])
  if (chat?.sessionId !== session.id) throw notFound('Chat')
  const contextLimit = body.context?.contextLimit
  return {
    entry: {
      chatId,
      onBusy,
      message,
      history,
      isWholeChat: false,
      headless: false,
      origin: caller.origin,
      contextLimit,
    },
    remember: (tx, queued) => idempotency.remember(tx, queuedResponse(chatId, queued)),
  }
}

function isFromUser(message: RequestMessage): message is RequestMessage & { role: 'user' } {
  return message.role === 'user'
}

/**
 * Closes the open questions of the chat, which a new message leaves unanswered. A version closes no questions, because it
 * starts a new branch, and they stay open on the old branch. Returns an empty list of answers.
 */
async function closeReplacedQuestions(tx: Tx, chatId: string, version: Version | undefined): Promise<MessagePart[]> {
  if (version === undefined) await closeQuestions(tx, chatId)
  return []
}

/** Stores the message's answers to open questions and approvals. Ignores all other parts of the message. */
async function storeAnswers(tx: Tx, chatId: string, message: RequestMessage): Promise<MessagePart[]> {
  const questions = await lockOpenQuestions(tx, chatId, message.id)
  if (questions.every((question) => findAnswer(question, message) === undefined)) throw nothingAnswered()
  // An approval request without an answer is denied: its call is not executed, and the turn continues.
  const answered = questions.flatMap(
    (question) => findAnswer(question, message) ?? (isApprovalRequest(question) ? closeQuestion(question) : []),
  )
  for (const part of answered) await answerQuestion(tx, chatId, message.id, part)
  return answered
}

function nothingAnswered(): ApiError {
  return invalidField('messages must answer an open question of this chat', 'messages')
}
