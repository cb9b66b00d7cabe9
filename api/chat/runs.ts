import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import { findRun } from '../../db/runs.ts'
import { insertSessionWithChat } from '../../db/sessions.ts'
import { claimSlot, insertTurn } from '../../db/turns/accept.ts'
import { trimmedText, uuid } from '../../domain/fields.ts'
import { isRunId, newRunId } from '../../domain/ids.ts'
import { headlessMessages, toStoredMessage } from '../../domain/messages.ts'
import type { RequestMessage } from '../../domain/messages.ts'
import { mayActFor, requireArtist, requireOrganization, resolveAccount } from '../access.ts'
import type { ApiDeps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import { requireCredits } from '../ledger/gate.ts'
import { optionalModelChoice } from '../model-choice.ts'
import { mebibytes, route } from '../route.ts'
import type { Route } from '../route.ts'
import { startRun } from './common.ts'

const headlessTitle = 'Headless run'

const bodyOf = (config: Config) =>
  z
    .object({
      prompt: trimmedText(1, Number.MAX_SAFE_INTEGER).optional(),
      messages: headlessMessages.optional(),
      artistId: uuid.optional(),
      accountId: uuid.optional(),
      organizationId: uuid.optional(),
      model: optionalModelChoice(config),
      title: trimmedText(1, 200).optional(),
    })
    .refine((sent) => (sent.prompt === undefined) !== (sent.messages === undefined), {
      error: 'Send exactly one of prompt and messages',
      path: [],
    })

/** A prompt is one user message with one text part. */
const messagesOf = (sent: z.output<ReturnType<typeof bodyOf>>): RequestMessage[] =>
  sent.messages ?? [{ id: randomUUID(), role: 'user', parts: [{ type: 'text', text: sent.prompt ?? '' }] }]

export const startRunRoute = (deps: ApiDeps): Route =>
  route({
    method: 'POST',
    path: '/api/chat/runs',
    tag: 'Chat',
    summary: 'Start a headless run',
    description: 'Makes its own session and sandbox and answers at once; poll the run id, or stream the chat.',
    auth: 'key-or-bearer',
    ownership:
      'Session and run belong to the caller, or to the account named by accountId that the caller may act for.',
    envelope: 'e2',
    bodyLimit: mebibytes(10),
    rate: 'starts',
    idempotent: true,
    body: bodyOf(deps.config),
    responses: { 202: z.object({ runId: z.string(), chatId: z.guid(), sessionId: z.guid() }) },
    errors: ['invalid_request', 'unauthorized', 'insufficient_credits', 'forbidden'],
    authorize: async ({ caller, body: sent }) => {
      const account = await resolveAccount(deps, caller, sent.accountId)
      if (sent.organizationId !== undefined) await requireOrganization(deps, caller, account, sent.organizationId)
      if (sent.artistId !== undefined) await requireArtist(deps, caller, account, sent.artistId)
    },
    handle: async ({ caller, body: sent, idempotency }) => {
      const accountId = sent.accountId ?? caller.accountId
      const modelId = sent.model ?? deps.config.defaultModel
      await requireCredits(deps, accountId)
      const runId = newRunId()
      const messages = messagesOf(sent)
      const title = sent.title ?? headlessTitle
      const answer = await deps.db.begin(async (tx) => {
        const { session, chat } = await insertSessionWithChat(tx, {
          ownerId: accountId,
          title,
          chatTitle: title,
          organizationId: sent.organizationId ?? null,
          artistId: sent.artistId ?? null,
          workspace: null,
          modelId,
        })
        await claimSlot(tx, chat.id, runId)
        await insertTurn(tx, {
          runId,
          accountId,
          sessionId: session.id,
          chatId: chat.id,
          assistantMessageId: randomUUID(),
          headless: true,
          source: caller.via === 'key' ? 'api' : 'web',
          modelId,
          contextLimit: undefined,
          input: messages,
          userMessage: toStoredMessage({ ...messages.at(-1)!, role: 'user' }),
          title: '',
        })
        const accepted = {
          status: 202 as const,
          headers: { location: `/api/chat/runs/${runId}`, 'x-workflow-run-id': runId },
          body: { runId, chatId: chat.id, sessionId: session.id },
        }
        await idempotency.remember(tx, accepted)
        return accepted
      })
      startRun(deps, runId, { headless: true })
      return answer
    },
  })

export const readRunRoute = (deps: ApiDeps): Route =>
  route({
    method: 'GET',
    path: '/api/chat/runs/{runId}',
    tag: 'Chat',
    summary: 'Read the status of a run',
    auth: 'key-or-bearer',
    ownership: 'The run must belong to the caller or to an account that the caller may act for; else it is not found.',
    envelope: 'e2',
    bodyLimit: mebibytes(1),
    rate: 'default',
    params: z.object({ runId: z.string() }),
    responses: {
      200: z.object({
        runId: z.string(),
        status: z.enum(['queued', 'running', 'completed', 'failed', 'cancelled']),
      }),
    },
    errors: ['unauthorized', 'not_found'],
    handle: async ({ caller, params }) => {
      const run = isRunId(params.runId) ? await findRun(deps.db, params.runId) : undefined
      if (run === undefined || !(await mayActFor(deps, caller, run.accountId)))
        throw new ApiError('not_found', 'Run not found')
      return { status: 200, body: { runId: run.id, status: run.status } }
    },
  })
