import { z } from 'zod'
import { lockSession } from '../../../db/sessions/sessions.ts'
import { deleteShare, insertShare, listShares, newShareToken } from '../../../db/sessions/shares.ts'
import { maxShares, toShareResponse, shareSchema } from '../../../domain/chat/shares.ts'
import { text } from '../../../domain/fields/fields.ts'
import { isUuid } from '../../../domain/fields/ids.ts'
import { recordAuditObject } from '../../access/audit.ts'
import { requireOwnChat } from '../../access/owned.ts'
import type { ShareDeps } from './pages.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { route, ok, type Route } from '../../http/route.ts'
import { readExcerpt } from '../branches/excerpt.ts'
import { chatDefaults, chatParams } from '../route-defaults.ts'
import { sharedPageRoute, sharesTag } from './read.ts'

const routeDefaults = { ...chatDefaults, tag: sharesTag }

/** Routes of read-only links to a chat, and of their page. */
export function shareRoutes(deps: ShareDeps): Route[] {
  return [create(deps), list(deps), revoke(deps), sharedPageRoute(deps)]
}

function create({ db, config }: ShareDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    path: '/api/sessions/{sessionId}/chats/{chatId}/shares',
    summary: 'Create a read-only link to a chat',
    description: 'Anyone with `url` can read the branch in its current state. Only this response contains the URL.',
    widensAccess: true,
    params: chatParams,
    example: { expiresInDays: 7 },
    body: z.object({
      expiresInDays: z.int().min(1).max(365).default(30),
      toolOutputs: z.boolean().default(false),
      messageId: text(1, 128).optional(),
      branch: text(1, 64).optional(),
    }),
    bodyOptional: true,
    responses: { 200: z.object({ share: shareSchema, url: z.string() }) },
    errors: ['not_found', 'conflict'],
    handle: async ({ caller, params, body }) => {
      const chat = await requireOwnChat(db, caller, params)
      return db.begin(async (tx) => {
        if ((await lockSession(tx, chat.sessionId)) === undefined) throw notFound('Session')
        if ((await listShares(tx, chat.id)).length >= maxShares)
          throw new ApiError('conflict', `A chat has at most ${maxShares} links`)
        const { branch, last } = await readExcerpt(tx, chat.id, body)
        const token = newShareToken()
        const { expiresInDays, toolOutputs } = body
        const share = await insertShare(tx, {
          token,
          chatId: chat.id,
          branchId: branch,
          last,
          toolOutputs,
          expiresInDays,
        })
        recordAuditObject(caller, share.id)
        const url = `${config.baseUrl}/share/${token}`
        return ok({ share: toShareResponse(share), url })
      })
    },
  })
}

function list({ db }: ShareDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/sessions/{sessionId}/chats/{chatId}/shares',
    summary: 'List the links of a chat, oldest first',
    params: chatParams,
    responses: { 200: z.object({ shares: z.array(shareSchema) }) },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params }) => {
      const chat = await requireOwnChat(db, caller, params)
      return ok({ shares: (await listShares(db, chat.id)).map(toShareResponse) })
    },
  })
}

function revoke({ db }: ShareDeps): Route {
  return route({
    ...routeDefaults,
    method: 'DELETE',
    path: '/api/sessions/{sessionId}/chats/{chatId}/shares/{shareId}',
    summary: 'Revoke a link',
    params: chatParams.extend({ shareId: z.string() }),
    responses: { 200: z.object({ success: z.literal(true) }) },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params }) => {
      const chat = await requireOwnChat(db, caller, params)
      if (!isUuid(params.shareId) || !(await deleteShare(db, chat.id, params.shareId))) throw notFound('Share')
      return ok({ success: true })
    },
  })
}
