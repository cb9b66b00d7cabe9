import { z } from 'zod'
import {
  countChats,
  deleteChat,
  findChat,
  insertChat,
  listAccountChats,
  listChats,
  markRead,
  updateChat,
} from '../../db/sessions/chats.ts'
import { listMessages } from '../../db/sessions/messages.ts'
import { readFoldedSeq, listLiveRuns } from '../../db/runs/runs.ts'
import { lockSession } from '../../db/sessions/sessions.ts'
import { trunk } from '../../domain/chat/branches.ts'
import { toChatResponse, chatSchema } from '../../domain/chat/chats.ts'
import { anyRequired, queryInteger, trimmedText, uuid, successOf } from '../../domain/fields/fields.ts'
import { storedMessageSchema } from '../../domain/chat/messages.ts'
import { pageQuery } from '../../domain/fields/pages.ts'
import { resolveAccount } from '../access/access.ts'
import { ApiError, invalidField, notFound } from '../http/errors.ts'
import { modelChoice } from '../chat/model-choice.ts'
import { requireOwnChat, requireOwnSession } from '../access/owned.ts'
import { route, success, ok, type Route } from '../http/route.ts'
import { withNoLiveRuns } from '../runs/no-live-runs.ts'
import type { StopDeps } from '../deps.ts'
import { branchRoutes } from './branches/index.ts'
import { copyRoute } from './copy.ts'
import { shareRoutes } from './shares/index.ts'
import { chatDefaults, chatParams } from './route-defaults.ts'
import type { ShareDeps } from './shares/pages.ts'
import { resolveBranch } from './branches/excerpt.ts'

type ChatDeps = StopDeps & ShareDeps

const sessionParams = z.object({ sessionId: z.string() })
const responseSchema = z.object({ chat: chatSchema })
const done = z.object({ success: z.literal(true) })

const accountChat = z.object({
  id: z.string(),
  title: z.string(),
  accountId: z.guid(),
  sessionId: z.string(),
  updatedAt: z.iso.datetime(),
  artistId: z.guid().nullable(),
})

export function chatRoutes(deps: ChatDeps): Route[] {
  return [
    list(deps),
    create(deps),
    read(deps),
    update(deps),
    remove(deps),
    markAsRead(deps),
    listByAccount(deps),
    ...branchRoutes(deps),
    copyRoute(deps),
    ...shareRoutes(deps),
  ]
}

function list(deps: ChatDeps): Route {
  return route({
    ...chatDefaults,
    method: 'GET',
    path: '/api/sessions/{sessionId}/chats',
    summary: 'List the chats of a session, oldest first',
    ownership: 'The session must belong to the caller.',
    params: sessionParams,
    query: z.object(pageQuery(200, 100)),
    responses: {
      200: z.object({
        chats: z.array(chatSchema.extend({ hasUnread: z.boolean(), isStreaming: z.boolean() })),
        defaultModelId: z.string(),
      }),
    },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params, query }) => {
      const session = await requireOwnSession(deps.db, caller, params.sessionId)
      const { defaultModel } = deps.config
      const rows = await listChats(deps.db, { sessionId: session.id, readerId: caller.accountId, ...query })
      const chats = rows.map((chat) => ({
        ...toChatResponse(chat, defaultModel),
        hasUnread: chat.hasUnread,
        isStreaming: chat.isStreaming,
      }))
      return ok({ chats, defaultModelId: defaultModel })
    },
  })
}

function create(deps: ChatDeps): Route {
  return route({
    ...chatDefaults,
    method: 'POST',
    path: '/api/sessions/{sessionId}/chats',
    summary: 'Create a chat',
    description: 'If the session already has a chat with this `id`, returns that chat.',
    ownership: 'The session must belong to the caller.',
    idempotent: true,
    params: sessionParams,
    example: { id: '5d4c3b2a-1f0e-4d9c-8b7a-6f5e4d3c2b1a' },
    body: z.object({ id: uuid.optional() }),
    bodyOptional: true,
    responses: { 200: responseSchema },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params, body, idempotency }) => {
      const { id: sessionId, ownerId } = await requireOwnSession(deps.db, caller, params.sessionId)
      return deps.db.begin(async (tx) => {
        if ((await lockSession(tx, sessionId)) === undefined) throw notFound('Session')
        const chat =
          (await insertChat(tx, { sessionId, ownerId, id: body.id, modelId: deps.config.defaultModel })) ??
          (body.id === undefined ? undefined : await findChat(tx, body.id))
        if (chat?.sessionId !== sessionId) throw new ApiError('conflict', 'Chat id is already in use')
        return idempotency.remember(tx, ok({ chat: toChatResponse(chat, deps.config.defaultModel) }))
      })
    },
  })
}

function read(deps: ChatDeps): Route {
  return route({
    ...chatDefaults,
    method: 'GET',
    path: '/api/sessions/{sessionId}/chats/{chatId}',
    summary: 'Read a chat and its messages',
    description:
      'Pages start at the end of the chat and contain at most `limit` messages and 4 MB; `nextBefore` is set if there are earlier messages. `resumeIndex` is the index of the first frame of the live run that `messages` does not contain; a client resumes the stream from it.',
    params: chatParams,
    query: z.object({
      limit: queryInteger(1, 1000, 1000),
      before: z.string().optional(),
      branch: z.string().optional().meta({ description: 'Id of a branch. Default: the selected branch.' }),
    }),
    responses: {
      200: z.object({
        chat: chatSchema,
        branch: z.string().meta({ description: 'Id of the branch that contains `messages`.' }),
        isStreaming: z.boolean(),
        resumeIndex: z.int().nullable(),
        messages: z.array(storedMessageSchema),
        nextBefore: z.string().nullable(),
      }),
    },
    errors: ['forbidden', 'not_found'],
    // The messages and the index are read from one snapshot: a newer index would lose output, and an older one would repeat it.
    handle: ({ caller, params, query }) =>
      deps.db.begin('isolation level repeatable read read only', async (tx) => {
        const chat = await requireOwnChat(tx, caller, params)
        const [liveRun] = await listLiveRuns(tx, { chatId: chat.id })
        const branch = await resolveBranch(tx, chat.id, query.branch)
        const page = await listMessages(tx, chat.id, { ...query, branch })
        if (page === undefined) throw invalidField('before must be the id of a message of this chat', 'before')
        return ok({
          chat: toChatResponse(chat, deps.config.defaultModel),
          branch: branch ?? trunk,
          isStreaming: liveRun !== undefined,
          resumeIndex: liveRun === undefined ? null : await readFoldedSeq(tx, liveRun.id),
          ...page,
        })
      }),
  })
}

function update(deps: ChatDeps): Route {
  return route({
    ...chatDefaults,
    method: 'PATCH',
    path: '/api/sessions/{sessionId}/chats/{chatId}',
    summary: 'Rename a chat or choose its model',
    description: 'A new model takes effect with the next run.',
    params: chatParams,
    example: { title: 'Set list' },
    body: z
      .strictObject({
        title: trimmedText(1, 200).optional(),
        modelId: modelChoice(deps.config).optional(),
        autoCompact: z.boolean().optional(),
      })
      .refine((sent) => Object.values(sent).some((value) => value !== undefined), {
        error: 'title, modelId or autoCompact is required',
      })
      .meta(anyRequired(['title', 'modelId', 'autoCompact'])),
    responses: { 200: responseSchema },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params, body }) => {
      const chat = await updateChat(deps.db, await requireOwnChat(deps.db, caller, params), body)
      if (chat === undefined) throw notFound('Chat')
      return ok({ chat: toChatResponse(chat, deps.config.defaultModel) })
    },
  })
}

function remove(deps: ChatDeps): Route {
  return route({
    ...chatDefaults,
    method: 'DELETE',
    path: '/api/sessions/{sessionId}/chats/{chatId}',
    summary: 'Delete a chat with its messages',
    description: 'Stops a live run first. The only chat of a session cannot be deleted.',
    params: chatParams,
    responses: { 200: done },
    errors: ['forbidden', 'not_found', 'timeout'],
    handle: async ({ caller, params }) => {
      const chat = await requireOwnChat(deps.db, caller, params)
      requireOtherChat(await countChats(deps.db, chat.sessionId))
      await withNoLiveRuns(deps, { sessionId: chat.sessionId, chatId: chat.id }, async (tx) => {
        if ((await findChat(tx, chat.id)) === undefined) throw notFound('Chat')
        requireOtherChat(await countChats(tx, chat.sessionId))
        await deleteChat(tx, chat)
      })
      return ok({ success: true })
    },
  })
}

function requireOtherChat(chats: number): void {
  if (chats <= 1) throw new ApiError('invalid_request', 'A session keeps at least one chat')
}

function markAsRead(deps: ChatDeps): Route {
  return route({
    ...chatDefaults,
    method: 'POST',
    path: '/api/sessions/{sessionId}/chats/{chatId}/read',
    summary: 'Mark a chat as read',
    params: chatParams,
    responses: { 200: done },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params }) => {
      const chat = await requireOwnChat(deps.db, caller, params)
      await markRead(deps.db, chat.id, caller.accountId)
      return ok({ success: true })
    },
  })
}

function listByAccount(deps: ChatDeps): Route {
  return route({
    ...chatDefaults,
    method: 'GET',
    path: '/api/chats',
    summary: 'List the chats of an account, most recently changed first',
    description: 'Omits chats without messages and chats of archived sessions.',
    ownership: 'Chats of the caller, or of an account that the caller may act for.',
    query: z.object({
      id: uuid.optional().meta({ description: 'Only the chat with this id.' }),
      account_id: uuid.optional(),
      artist_account_id: uuid.optional(),
      ...pageQuery(100, 50),
    }),
    responses: { 200: successOf({ chats: z.array(accountChat) }) },
    errors: ['forbidden'],
    handle: async ({ caller, query }) => {
      const ownerId = await resolveAccount(deps, caller, query.account_id)
      const { id, limit, offset, artist_account_id: artistId } = query
      const rows = await listAccountChats(deps.db, ownerId, { id, artistId, limit, offset })
      const chats = rows.map((chat) => ({ ...chat, updatedAt: chat.updatedAt.toISOString() }))
      return success({ chats })
    },
  })
}
