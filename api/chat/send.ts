import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { findChat } from '../../db/sessions/chats.ts'
import type { Tx } from '../../db/postgres/client.ts'
import { findRun, isLive } from '../../db/runs/runs.ts'
import { claimSlot, insertTurn, releaseSlot, touchActiveSandbox } from '../../db/turns/accept.ts'
import { resumeCalls } from '../../db/turns/approvals.ts'
import { answerQuestion, closeQuestions, lockOpenQuestions, unanswered } from '../../db/turns/question.ts'
import { isApprovalRequest } from '../../domain/chat/approvals.ts'
import type { ChatRow } from '../../domain/chat/chats.ts'
import { uuid } from '../../domain/fields/fields.ts'
import { newRunId } from '../../domain/fields/ids.ts'
import {
  answersApproval,
  answerTo,
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
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { chatNotFound, workingSession } from '../access/owned.ts'
import { requireCredits } from '../credits/gate.ts'
import { wakeIfNeeded } from '../sandboxes/lifecycle.ts'
import type { LiveBody } from '../http/answers/live.ts'
import { mebibytes, route, streamed, type Route } from '../http/route.ts'
import { beginEventStream, openEventStream, streamHeaders } from '../streams/sse.ts'
import { idleMs, startRun, streamTimes } from './start-run.ts'
import { chatTag } from './tag.ts'

const body = z.object({
  messages: requestMessages,
  chatId: uuid,
  sessionId: uuid,
  context: z.object({ contextLimit: z.int().min(1).max(2_147_483_647) }).optional(),
})

export function sendRoute(deps: ApiDeps): Route {
  const { db, config } = deps

  const replay = (runId: string) => {
    const { body, opened } = openEventStream(deps.streams, runId, 0, streamTimes(config))
    opened.catch((error: unknown) => deps.log.warn({ err: error, runId }, 'the stream could not be opened'))
    return answer(runId, body)
  }

  return route({
    method: 'POST',
    path: '/api/chat',
    tag: chatTag,
    summary: 'Send a turn and stream its answer',
    description:
      'The turn runs as a durable workflow. Losing the connection does not stop it: resume with GET /api/chat/{chatId}/stream.',
    auth: 'key',
    ownership: 'Session and chat must belong to the caller.',
    envelope: 'e2',
    bodyLimit: mebibytes(10),
    rate: 'starts',
    idempotent: true,
    // An agent does not approve its own calls.
    widensAccess: ({ body }) => answersApproval(body.messages),
    example: {
      sessionId: '5d4c3b2a-1f0e-4d9c-8b7a-6f5e4d3c2b1a',
      chatId: '3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42',
      messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Plan a tour of five cities.' }] }],
    },
    body,
    responses: { 200: streamed('text/event-stream', 'UI message parts, one event each, then `[DONE]`') },
    errors: [
      'invalid_request',
      'sandbox_not_initialized',
      'unauthorized',
      'insufficient_credits',
      'forbidden',
      'not_found',
      'conflict',
      'unavailable',
    ],
    handle: async ({ caller, body: sent, idempotency }) => {
      const [session, chat] = await Promise.all([workingSession(db, caller, sent.sessionId), findChat(db, sent.chatId)])
      if (chat?.sessionId !== session.id) throw chatNotFound()
      await requireCredits(deps, caller.accountId)
      const { expiryBufferMs } = lifecycleTimes(config)
      if (!isSandboxActive(session, expiryBufferMs)) throw notInitialized()
      await passSlotGate(deps, chat)

      const runId = newRunId()
      const modelId = chat.modelId ?? config.defaultModel
      const last = sent.messages.at(-1)!
      const userMessage: StoredMessage | undefined = isFromUser(last) ? toStoredMessage(last) : undefined
      const begun = await db.begin(async (tx) => {
        const [active, free] = await Promise.all([
          touchActiveSandbox(tx, session.id, idleMs(config), expiryBufferMs),
          claimSlot(tx, chat.id, runId),
        ])
        if (!active) throw notInitialized()
        if (!free) throw busy()
        const [answers, begun] = await Promise.all([
          userMessage === undefined ? storeAnswers(tx, chat.id, last) : closeQuestions(tx, chat.id).then(() => []),
          insertTurn(tx, {
            runId,
            accountId: session.ownerId,
            sessionId: session.id,
            chatId: chat.id,
            assistantMessageId: userMessage === undefined ? last.id : randomUUID(),
            headless: false,
            source: caller.via === 'key' ? 'api' : 'web',
            modelId,
            contextLimit: sent.context?.contextLimit,
            input: sent.messages,
            userMessage,
            title: userMessage === undefined ? '' : chatTitleFrom(messageText(userMessage)),
          }),
          idempotency.remember(tx, { status: 200, body: { runId } }),
        ])
        await resumeCalls(tx, { runId, modelId }, answers)
        return begun
      })
      startRun(deps, runId)
      wakeIfNeeded(deps, session)
      return answer(runId, beginEventStream(deps.streams, begun, streamTimes(config)))
    },
    replay: async (stored) => replay((stored.body as { runId: string }).runId),
  })
}

function answer(runId: string, body: LiveBody) {
  return { status: 200 as const, headers: streamHeaders(runId), body }
}

function notInitialized(): ApiError {
  return new ApiError('sandbox_not_initialized', 'Sandbox not initialized')
}

/** Lets a turn pass whose chat has no live run; a slot that an ended run left behind is emptied on the way. */
async function passSlotGate(deps: ApiDeps, chat: ChatRow): Promise<void> {
  const holder = chat.activeStreamId
  if (holder === null) return
  const run = await findRun(deps.db, holder).catch(() => undefined)
  if (run === undefined)
    throw new ApiError('unavailable', "The state of this chat's run could not be determined", {
      headers: { 'retry-after': '1' },
    })
  if (isLive(run.status)) throw busy(holder)
  if (!(await deps.db.begin((tx) => releaseSlot(tx, chat.id, holder)))) throw busy()
}

function busy(runId?: string): ApiError {
  return new ApiError('conflict', 'A response is already streaming for this chat', {
    headers: runId === undefined ? {} : { 'x-workflow-run-id': runId },
  })
}

function isFromUser(message: RequestMessage): message is RequestMessage & { role: 'user' } {
  return message.role === 'user'
}

/** Copies the answers into the stored message's open questions and approvals; nothing else of the sent message is taken. */
async function storeAnswers(tx: Tx, chatId: string, sent: RequestMessage): Promise<MessagePart[]> {
  const questions = await lockOpenQuestions(tx, chatId, sent.id)
  if (questions.every((question) => answerTo(question, sent) === undefined)) throw nothingAnswered()
  // A call that was asked for and not answered is not made: the turn goes on without it.
  const answered = questions.flatMap(
    (question) => answerTo(question, sent) ?? (isApprovalRequest(question) ? unanswered(question) : []),
  )
  for (const part of answered) await answerQuestion(tx, chatId, sent.id, part)
  return answered
}

function nothingAnswered(): ApiError {
  return new ApiError('invalid_request', 'messages must answer an open question of this chat', {
    missingFields: ['messages'],
  })
}
