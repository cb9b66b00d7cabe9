import { z } from 'zod'
import { insertChat } from '../../db/sessions/chats.ts'
import { copyMessages } from '../../db/sessions/copy.ts'
import { insertSessionWithChat, lockSession } from '../../db/sessions/sessions.ts'
import type { Tx } from '../../db/postgres/client.ts'
import { toChatResponse, chatSchema, type ChatRow } from '../../domain/chat/chats.ts'
import { text, trimmedText } from '../../domain/fields/fields.ts'
import { toSessionResponse, sessionSchema, type SessionRow } from '../../domain/sessions/sessions.ts'
import { requireArtist, requireOrganization } from '../access/access.ts'
import { recordAuditObject } from '../access/audit.ts'
import { requireOwnChat, requireOwnSession } from '../access/owned.ts'
import type { WorkDeps } from '../deps.ts'
import { route, ok, type Caller, type Route } from '../http/route.ts'
import { readExcerpt } from './branches/excerpt.ts'
import { chatDefaults, chatParams } from './route-defaults.ts'
import { ensureWorkspaceRepository } from './sessions.ts'
import { notFound } from '../http/errors.ts'

const bodySchema = z.object({
  messageId: text(1, 128).optional(),
  branch: text(1, 64).optional(),
  to: z
    .enum(['chat', 'session'])
    .default('chat')
    .meta({ description: 'Target of the copy: a new chat in the same session, or a new session.' }),
  title: trimmedText(1, 200).optional(),
})

export function copyRoute(deps: WorkDeps): Route {
  return route({
    ...chatDefaults,
    method: 'POST',
    path: '/api/sessions/{sessionId}/chats/{chatId}/copy',
    summary: 'Copy a chat into a new chat or session',
    description:
      'Copies the messages of one branch up to `messageId`, with their ids. Files, usage and other branches are not copied.',
    ownership: 'The session must belong to the caller and contain the chat; the copy belongs to the caller.',
    idempotent: true,
    params: chatParams,
    example: { to: 'session', title: 'Second try' },
    body: bodySchema,
    bodyOptional: true,
    responses: { 200: z.object({ session: sessionSchema.nullable(), chat: chatSchema }) },
    errors: ['forbidden', 'not_found', 'bad_gateway'],
    handle: async ({ caller, params, body, idempotency }) => {
      const source = await requireOwnSession(deps.db, caller, params.sessionId)
      const chat = await requireOwnChat(deps.db, caller, params)
      const createCopy =
        body.to === 'chat' ? copyToChat(chat, body) : await copyToNewSession(deps, caller, source, chat, body)
      return deps.db.begin(async (tx) => {
        if ((await lockSession(tx, source.id)) === undefined) throw notFound('Session')
        const { branch, last } = await readExcerpt(tx, chat.id, body)
        const target = await createCopy(tx)
        await copyMessages(tx, { from: chat.id, branch, through: last.position, to: target.chat.id })
        recordAuditObject(caller, target.chat.id)
        return idempotency.remember(
          tx,
          ok({
            session: target.session === undefined ? null : toSessionResponse(target.session, null),
            chat: toChatResponse(target.chat, deps.config.defaultModel),
          }),
        )
      })
    },
  })
}

type CreateCopy = (tx: Tx) => Promise<{ session?: SessionRow; chat: ChatRow }>
type CopyOptions = { title?: string | undefined }

function copyToChat({ sessionId, ownerId, title, modelId }: ChatRow, options: CopyOptions): CreateCopy {
  return async (tx) => {
    const chat = await insertChat(tx, { sessionId, ownerId, title: options.title ?? title, modelId })
    if (chat === undefined) throw notFound('Session')
    return { chat }
  }
}

/** Prepares a copy to a new session with the same organization and artist. Throws 403 if the caller lacks access to one. */
async function copyToNewSession(
  deps: WorkDeps,
  caller: Caller,
  { organizationId, artistId, approvals }: SessionRow,
  chat: ChatRow,
  options: CopyOptions,
): Promise<CreateCopy> {
  if (organizationId !== null) await requireOrganization(deps, caller, caller.accountId, organizationId)
  if (artistId !== null) await requireArtist(deps, caller, caller.accountId, artistId)
  const workspace = await ensureWorkspaceRepository(deps, organizationId ?? caller.accountId)
  return (tx) =>
    insertSessionWithChat(tx, {
      ownerId: caller.accountId,
      title: options.title ?? null,
      organizationId,
      artistId,
      workspace,
      chatTitle: options.title ?? chat.title,
      modelId: chat.modelId,
      approvals,
      origin: caller.origin,
    })
}
