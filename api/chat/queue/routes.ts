import { z } from 'zod'
import type { Db, Tx } from '../../../db/postgres/client.ts'
import {
  endWaiting,
  findEntry,
  holdQueue,
  lockChat,
  listWaiting,
  readQueue,
  saveMessage,
  saveOrder,
} from '../../../db/turns/queue/queue.ts'
import { acceptWaiting } from '../../../db/turns/queue/accept-next.ts'
import {
  toEntryResponse,
  queueChanges,
  queueEntrySchema,
  toQueueResponse,
  queueSchema,
  withText,
  type QueueEntry,
} from '../../../domain/chat/queue.ts'
import { turnTerms } from '../../../domain/chat/turn-terms.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { mebibytes, route, ok, type Route } from '../../http/route.ts'
import { requireAccountChat, startRun, accountChatRoute, type ChatStartDeps } from '../start-run.ts'
import { queueFull } from './wait.ts'

const path = '/api/chat/{chatId}/queue'
const entryPath = '/api/chat/{chatId}/queue/{queueId}'

const routeDefaults = { ...accountChatRoute, bodyLimit: mebibytes(2) } as const
const entryParams = accountChatRoute.params.extend({ queueId: z.string() })

/** Routes that read, change, empty, hold and resume the queue of a chat. */
export function queueRoutes(deps: ChatStartDeps): Route[] {
  return [read(deps), readOne(deps), change(deps), remove(deps), removeAll(deps), hold(deps), resume(deps)]
}

function read(deps: ChatStartDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path,
    summary: 'List the queued messages of a chat',
    description:
      'Returns the messages in queue order, up to 4 MB per page; send `nextAfter` as `after` to read the next page. If ' +
      'the message in `after` is no longer queued, the page starts at the front of the queue.',
    query: accountChatRoute.query.extend({ after: z.string().max(100).optional() }),
    responses: { 200: queueSchema },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params, query }) => {
      const chat = await requireAccountChat(deps, caller, params.chatId, query.account_id)
      return { status: 200, body: toQueueResponse(await readQueue(deps.db, chat.id, query.after)) }
    },
  })
}

function readOne(deps: ChatStartDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: entryPath,
    summary: 'Read a queued message',
    description:
      'Also returns a message that has left the queue. `runId` is the run that it started or joined; GET ' +
      '/api/chat/{chatId}/stream?runId= streams it.',
    params: entryParams,
    responses: { 200: queueEntrySchema },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params, query }) => {
      const chat = await requireAccountChat(deps, caller, params.chatId, query.account_id)
      return { status: 200, body: toEntryResponse(await readEntry(deps.db, chat.id, params.queueId)) }
    },
  })
}

function change(deps: ChatStartDeps): Route {
  return route({
    ...routeDefaults,
    method: 'PATCH',
    path: entryPath,
    summary: 'Change the text or the position of a queued message',
    description: 'New text replaces the text parts and keeps the file parts. 409: the message is no longer queued.',
    params: entryParams,
    example: { position: 1 },
    body: queueChanges,
    responses: { 200: queueEntrySchema },
    errors: ['forbidden', 'not_found', 'conflict', 'rate_limited'],
    handle: async ({ caller, params, query, body: { text, position } }) => {
      const chat = await requireAccountChat(deps, caller, params.chatId, query.account_id)
      const changed = await deps.db.begin(async (tx) => {
        const { id, message } = await lockWaiting(tx, chat.id, params.queueId)
        const isSaved =
          text === undefined ||
          message === null ||
          (await saveMessage(tx, chat.id, { id, message: withText(message, text), origin: caller.origin }))
        if (!isSaved) throw queueFull()
        if (position !== undefined) await moveTo(tx, chat.id, id, position)
        return readEntry(tx, chat.id, id)
      })
      return { status: 200, body: toEntryResponse(changed) }
    },
  })
}

function remove(deps: ChatStartDeps): Route {
  return route({
    ...routeDefaults,
    method: 'DELETE',
    path: entryPath,
    summary: 'Remove a message from the queue',
    description: '409: the message is no longer queued.',
    params: entryParams,
    responses: { 200: z.object({ success: z.literal(true) }) },
    errors: ['forbidden', 'not_found', 'conflict'],
    handle: async ({ caller, params, query }) => {
      const chat = await requireAccountChat(deps, caller, params.chatId, query.account_id)
      await deps.db.begin(async (tx) => {
        const { id } = await lockWaiting(tx, chat.id, params.queueId)
        await endWaiting(tx, chat.id, { ids: [id], state: 'removed' })
      })
      return ok({ success: true })
    },
  })
}

function removeAll(deps: ChatStartDeps): Route {
  return route({
    ...routeDefaults,
    method: 'DELETE',
    path,
    summary: 'Empty the queue of a chat',
    responses: { 200: z.object({ success: z.literal(true), removed: z.int() }) },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params, query }) => {
      const chat = await requireAccountChat(deps, caller, params.chatId, query.account_id)
      const removed = await deps.db.begin(async (tx) => {
        await lockChat(tx, chat.id)
        return endWaiting(tx, chat.id, { state: 'removed' })
      })
      return ok({ success: true, removed })
    },
  })
}

function hold(deps: ChatStartDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path: `${path}/hold`,
    summary: 'Hold the queue of a chat',
    description: 'The running turn continues. No queued message is accepted until the queue is resumed or emptied.',
    responses: { 200: queueSchema },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params, query }) => {
      const chat = await requireAccountChat(deps, caller, params.chatId, query.account_id)
      await deps.db.begin(async (tx) => {
        await lockChat(tx, chat.id)
        await holdQueue(tx, chat.id, 'requested')
      })
      return { status: 200, body: toQueueResponse(await readQueue(deps.db, chat.id)) }
    },
  })
}

function resume(deps: ChatStartDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path: `${path}/resume`,
    summary: 'Resume the queue of a chat',
    description:
      'Ends the hold and, if the chat is free, accepts the next message. Returns the resulting queue, which is held again ' +
      'if the account has too few credits or the sandbox is not initialized.',
    responses: { 200: queueSchema },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params, query }) => {
      const chat = await requireAccountChat(deps, caller, params.chatId, query.account_id)
      const next = await acceptWaiting(deps.db, { chatId: chat.id, terms: turnTerms(deps.config), resume: true })
      if (next !== undefined) startRun(deps, next.runId, { ...next, accountId: chat.ownerId })
      return { status: 200, body: toQueueResponse(await readQueue(deps.db, chat.id)) }
    },
  })
}

async function readEntry(db: Db, chatId: string, id: string): Promise<QueueEntry> {
  const entry = await findEntry(db, chatId, id)
  if (entry === undefined) throw notFound('Queued message')
  return entry
}

/** Locks the chat so that the message stays queued until the transaction ends. Throws if it is no longer queued. */
async function lockWaiting(tx: Tx, chatId: string, id: string): Promise<QueueEntry> {
  await lockChat(tx, chatId)
  const entry = await readEntry(tx, chatId, id)
  if (entry.state !== 'waiting') throw new ApiError('conflict', 'The message is no longer queued')
  return entry
}

async function moveTo(tx: Tx, chatId: string, id: string, position: number): Promise<void> {
  const others = (await listWaiting(tx, chatId)).map((entry) => entry.id).filter((other) => other !== id)
  await saveOrder(tx, chatId, others.toSpliced(position - 1, 0, id))
}
