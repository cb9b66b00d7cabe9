import { z } from 'zod'
import type { Config } from '../../config.ts'
import { findRun } from '../../db/runs/runs.ts'
import { acceptHeadless, promptMessage } from '../../db/turns/headless.ts'
import { approvalsSchema } from '../../domain/chat/approvals.ts'
import { oneRequired, trimmedText, uuid } from '../../domain/fields/fields.ts'
import { isRunId } from '../../domain/fields/ids.ts'
import { onBusySchema, queuedSchema } from '../../domain/chat/queue.ts'
import { headlessMessages } from '../../domain/chat/messages.ts'
import { requireArtist, requireOrganization, resolveAccount, requireAccessible } from '../access/access.ts'
import { requireCredits } from '../credits/gate.ts'
import { optionalModelChoice } from './model-choice.ts'
import { mebibytes, route, ok, standardRoute, type Route } from '../http/route.ts'
import { buildReplay, runResponse, runInChat } from './runs-in-chat.ts'
import { startRun, type ChatStartDeps } from './start-run.ts'
import { chatTag } from './tag.ts'

const headlessTitle = 'Headless run'

export function startRunRoute(deps: ChatStartDeps): Route {
  return route({
    method: 'POST',
    path: '/api/chat/runs',
    tag: chatTag,
    summary: 'Start a headless run',
    description:
      'Creates a session and a sandbox for the run and returns immediately: poll the run by its id, or stream the chat. With ' +
      '`chatId` the run works in that chat, where a prompt is appended to the stored messages; `onBusy` defines what ' +
      'happens if the chat is busy.',
    auth: 'key-or-bearer',
    ownership:
      'Session and run belong to the caller, or to the account named by accountId that the caller may act for. The key of ' +
      'a run can start runs only for its own account, within its own approvals and limits.',
    envelope: 'standard',
    bodyLimit: mebibytes(10),
    rate: 'starts',
    idempotent: true,
    example: { prompt: 'Summarize the messages about the tour.' },
    body: createBodySchema(deps.config),
    responses: {
      202: z.union([
        z.object({ runId: z.string(), chatId: z.guid(), sessionId: z.guid() }),
        z.object({ queued: queuedSchema, chatId: z.guid(), sessionId: z.guid() }),
      ]),
    },
    errors: ['insufficient_credits', 'forbidden', 'not_found'],
    authorize: async ({ caller, body }) => {
      const account = await resolveAccount(deps, caller, body.accountId)
      if (body.organizationId !== undefined) await requireOrganization(deps, caller, account, body.organizationId)
      if (body.artistId !== undefined) await requireArtist(deps, caller, account, body.artistId)
    },
    handle: async ({ caller, body, idempotency }) => {
      const accountId = body.accountId ?? caller.accountId
      const { origin } = caller
      if (body.chatId !== undefined) {
        const { chatId, prompt, messages, onBusy = 'reject' } = body
        return runInChat(deps, { accountId, chatId, prompt, messages, onBusy, origin, idempotency })
      }
      const modelId = body.model ?? deps.config.defaultModel
      await requireCredits(deps, accountId)
      const title = body.title ?? headlessTitle
      const response = await deps.db.begin(async (tx) => {
        const { runId, chatId, sessionId } = await acceptHeadless(tx, {
          accountId,
          title,
          organizationId: body.organizationId ?? null,
          artistId: body.artistId ?? null,
          origin,
          modelId,
          messages: body.messages ?? [promptMessage(body.prompt ?? '')],
          approvals: body.approvals ?? null,
        })
        return idempotency.remember(tx, runResponse({ runId, chatId, sessionId }))
      })
      startRun(deps, response.body.runId, { accountId, headless: true })
      return response
    },
    replay: (stored) => buildReplay(deps, stored),
  })
}

export function readRunRoute(deps: ChatStartDeps): Route {
  return route({
    ...standardRoute,
    method: 'GET',
    path: '/api/chat/runs/{runId}',
    tag: chatTag,
    summary: 'Read the status of a run',
    ownership: 'The run must belong to the caller or to an account that the caller may act for; otherwise 404.',
    bodyLimit: mebibytes(1),
    params: z.object({ runId: z.string() }),
    responses: {
      200: z.object({
        runId: z.string(),
        status: z.enum(['queued', 'running', 'completed', 'failed', 'cancelled']),
      }),
    },
    errors: ['not_found'],
    handle: async ({ caller, params }) => {
      const found = isRunId(params.runId) ? await findRun(deps.db, params.runId) : undefined
      const { id: runId, status } = await requireAccessible(deps, caller, found, 'Run')
      return ok({ runId, status })
    },
  })
}

const newChatFields = ['artistId', 'organizationId', 'model', 'title'] as const

function createBodySchema(config: Config) {
  return z
    .object({
      prompt: trimmedText(1, Number.MAX_SAFE_INTEGER).optional(),
      messages: headlessMessages.optional(),
      artistId: uuid.optional(),
      accountId: uuid.optional(),
      organizationId: uuid.optional(),
      model: optionalModelChoice(config),
      title: trimmedText(1, 200).optional(),
      chatId: uuid.optional(),
      onBusy: onBusySchema.optional(),
      approvals: approvalsSchema.optional(),
    })
    .refine((body) => (body.prompt === undefined) !== (body.messages === undefined), {
      error: 'Send exactly one of prompt and messages',
      path: [],
    })
    .refine((body) => body.chatId === undefined || newChatFields.every((member) => body[member] === undefined), {
      error: 'chatId cannot be combined with artistId, organizationId, model or title, which the chat defines',
      path: ['chatId'],
    })
    .meta(oneRequired(['prompt', 'messages']))
}
