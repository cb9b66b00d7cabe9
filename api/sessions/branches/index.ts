import { z } from 'zod'
import { findBranch, listBranches, selectBranch } from '../../../db/sessions/branches.ts'
import { branchSchema, trunk } from '../../../domain/chat/branches.ts'
import { requireOwnChat } from '../../access/owned.ts'
import { ChatBusyError, requireFreeSlot } from '../../chat/busy.ts'
import type { DbDeps } from '../../deps.ts'
import { notFound } from '../../http/errors.ts'
import { route, ok, type Route } from '../../http/route.ts'
import { chatDefaults, chatParams } from '../route-defaults.ts'

/** Routes that list the branches of a chat and select one. */
export function branchRoutes(deps: DbDeps): Route[] {
  return [list(deps), select(deps)]
}

function list({ db }: DbDeps): Route {
  return route({
    ...chatDefaults,
    method: 'GET',
    path: '/api/sessions/{sessionId}/chats/{chatId}/branches',
    summary: 'List the branches of a chat',
    description: 'Returns the trunk and then the branches, oldest first. Each has the charges for its turns.',
    params: chatParams,
    responses: { 200: z.object({ branches: z.array(branchSchema) }) },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, params }) => {
      const chat = await requireOwnChat(db, caller, params)
      return ok({ branches: await listBranches(db, chat.id) })
    },
  })
}

function select(deps: DbDeps): Route {
  return route({
    ...chatDefaults,
    method: 'POST',
    path: '/api/sessions/{sessionId}/chats/{chatId}/branches/{branchId}/select',
    summary: 'Select a branch of a chat',
    description:
      'Reading the chat returns the selected branch, and the next message is added to it. 409 while a run is live.',
    params: chatParams.extend({ branchId: z.string() }),
    responses: { 200: z.object({ branch: branchSchema }) },
    errors: ['forbidden', 'not_found', 'conflict'],
    handle: async ({ caller, params }) => {
      const chat = await requireOwnChat(deps.db, caller, params)
      const target = await findBranch(deps.db, chat.id, params.branchId)
      if (target === undefined) throw notFound('Branch')
      await requireFreeSlot(deps, chat)
      return deps.db.begin(async (tx) => {
        if (!(await selectBranch(tx, chat.id, target.id))) throw new ChatBusyError()
        const branch = (await listBranches(tx, chat.id)).find(({ id }) => id === (target.id ?? trunk))
        if (branch === undefined) throw notFound('Branch')
        return ok({ branch })
      })
    },
  })
}
