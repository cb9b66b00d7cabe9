import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { z } from 'zod'
import type { Pool } from '../../../db/postgres/client.ts'
import { insertMessageClause } from '../../../db/sessions/messages.ts'
import { insertTurn } from '../../../db/turns/insert-turn.ts'
import { claimSlot } from '../../../db/turns/slot.ts'
import { chatSchema } from '../../../domain/chat/chats.ts'
import { newRunId } from '../../../domain/fields/ids.ts'
import type { StoredMessage } from '../../../domain/chat/messages.ts'
import { personOrigin } from '../../../domain/runs/origin.ts'
import { sessionSchema } from '../../../domain/sessions/sessions.ts'
import type { TestAccount, World } from '../world.ts'

/** Inserts the workspace row that a worker would create on demand. */
export const giveWorkspace = async (db: Pool, ownerId: string): Promise<void> => {
  await db`
    insert into workspace_repositories (owner_id, repo_owner, repo_name, clone_url)
    values (${ownerId}, 'workspaces', ${ownerId}, ${`http://localhost:8787/git/workspaces/${ownerId}.git`})
    on conflict do nothing`
}

export const say = (text: string, role: 'user' | 'assistant' = 'user'): StoredMessage => ({
  id: randomUUID(),
  role,
  parts: [{ type: 'text', text }],
})

/** Inserts messages into a chat, oldest first. */
export const fillChat = (db: Pool, chatId: string, messages: StoredMessage[]): Promise<void> =>
  db.begin(async (tx) => {
    for (const message of messages) await tx`with ${insertMessageClause(tx, chatId, message)} select`
  })

/** Inserts an accepted run that was not started in the engine. */
export const acceptRun = async (
  db: Pool,
  { accountId, sessionId, chatId }: { accountId: string; sessionId: string; chatId: string },
): Promise<string> => {
  const runId = newRunId()
  await db.begin(async (tx) => {
    await claimSlot(tx, chatId, runId)
    await insertTurn(tx, {
      runId,
      accountId,
      sessionId,
      chatId,
      assistantMessageId: randomUUID(),
      headless: false,
      origin: personOrigin('api'),
      modelId: 'local/assistant',
      contextLimit: undefined,
      input: [],
      userMessage: undefined,
      title: '',
    })
  })
  return runId
}

/** Creates a person with a workspace. */
export const makeOwner = async (world: World): Promise<TestAccount> => {
  const account = await world.makeAccount()
  await giveWorkspace(world.db, account.id)
  return account
}

const createdSessionSchema = z.object({ session: sessionSchema.strict(), chat: chatSchema.strict() })

export const createSession = async (world: World, account: TestAccount, body?: object) => {
  const response = await world.request('POST', '/api/sessions', { key: account.key, body })
  expect(response.status).toBe(200)
  return createdSessionSchema.parse(response.body)
}

/** Sets a session to its state after POST /api/sandbox. */
export const giveSandbox = (db: Pool, id: string) => db`
  update sessions set lifecycle_state = 'active', lifecycle_version = lifecycle_version + 1, lifecycle_run_id = 'w',
    lifecycle_error = 'Sandbox could not be stopped', sandbox_expires_at = now() + interval '20 minutes',
    hibernate_after = now() + interval '5 minutes',
    sandbox_state = ${db.json({ type: 'local', sandboxName: `session-${id}`, expiresAt: Date.now() + 1_200_000 })}
  where id = ${id}`
