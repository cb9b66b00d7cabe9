import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { creditAccount, debitAccount } from '../../db/credits/ledger.ts'
import { newRunId } from '../../domain/fields/ids.ts'
import { activitySchema } from '../../domain/operator/activity.ts'
import { createChatApi } from '../chat/chat-api.ts'
import { createWorld, type TestAccount, type World } from '../world/world.ts'

const adminOrganizationId = '22222222-2222-4222-8222-222222222222'

let world: World
let operator: TestAccount
beforeAll(async () => {
  world = await createWorld({ settings: { ADMIN_ORGANIZATION_ID: adminOrganizationId }, worker: false })
  await world.db`insert into accounts (id, kind, name) values (${adminOrganizationId}, 'organization', 'Operators')`
  operator = await world.makeAccount({ organizationId: adminOrganizationId })
})
afterAll(() => world.close())

const read = async (query = '') => {
  const response = await world.request('GET', `/api/operator/activity${query}`, { key: operator.key })
  expect(response.status).toBe(200)
  return activitySchema.strict().parse(response.body)
}

const insertJob = async (status: string, { error, daysAgo = 0 }: { error?: string; daysAgo?: number } = {}) => {
  const id = newRunId()
  const hasEnded = error !== undefined
  await world.db`
    insert into background_runs (id, account_id, task_identifier, version, status, created_at, finished_at, error)
    values (${id}, ${operator.id}, 'render-music', '1', ${status}, now() - interval '90 seconds',
      ${hasEnded ? world.db`now() - ${daysAgo}::int * interval '1 day'` : null},
      ${hasEnded ? JSON.stringify({ message: error }) : null}::text::json)`
  return id
}

test('unfinished jobs are counted by kind, with the age of the oldest job', async () => {
  expect((await read()).live).toEqual([])
  await insertJob('QUEUED')
  await insertJob('EXECUTING')
  const { live } = await read()
  expect(live).toEqual([{ kind: 'render-music', waiting: 1, running: 1, oldestSeconds: expect.any(Number) }])
  expect(Math.round((live[0]?.oldestSeconds ?? 0) / 10)).toBe(9)
})

test('failures are grouped by kind and error, ignoring ids in the error, with the most frequent first', async () => {
  const chat = await createChatApi(world).openChatWithoutCommands()
  await world.db`
    insert into runs (id, account_id, session_id, chat_id, assistant_message_id, status, source, model_id, error, ended_at)
    values (${newRunId()}, ${chat.account.id}, ${chat.sessionId}, ${chat.chatId}, ${randomUUID()}, 'failed', 'api', 'm',
      'the model failed', now())`
  await insertJob('FAILED', { error: `The file ${randomUUID()} is missing` })
  const last = await insertJob('CRASHED', { error: `The file ${randomUUID()} is missing` })
  await insertJob('FAILED', { error: 'too old', daysAgo: 9 })
  await world.db`update background_runs set finished_at = now() + interval '1 second' where id = ${last}`
  const { failures } = await read()
  expect(failures).toEqual([
    { kind: 'render-music', error: 'The file … is missing', count: 2, lastAt: expect.any(String), lastRunId: last },
    { kind: 'turn', error: 'the model failed', count: 1, lastAt: expect.any(String), lastRunId: expect.any(String) },
  ])
  expect((await read('?days=30')).failures).toHaveLength(3)
})

test('spent credits of all accounts are summed by day, including days without spending', async () => {
  const other = await world.makeAccount()
  for (const { id } of [operator, other])
    await world.db.begin(async (tx) => {
      const usage = { source: 'api', modelId: 'm' } as const
      await creditAccount(tx, { accountId: id, amount: 100, reference: `gift:${id}`, kind: 'grant' })
      await debitAccount(tx, { accountId: id, amount: 40, reference: `use:${id}`, usage })
    })
  const { since, spend } = await read('?days=3')
  expect(spend.map(({ credits }) => credits)).toEqual([0, 0, 80])
  expect(spend[0]?.day).toBe(since.slice(0, 10))
})

test('only members of the admin organization can read the activity', async () => {
  const outsider = await world.makeAccount()
  const refused = await world.request('GET', '/api/operator/activity', { key: outsider.key })
  expect(refused).toMatchObject({ status: 403, body: { error: 'Only members of the admin organization may see this' } })
})
