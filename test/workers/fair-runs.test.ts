import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { classifyIdleShare, classifyTimerDelay, maxSlotsPerAccount, nextSlotCount } from '../../domain/runs/slots.ts'
import { createChatApi } from '../chat/chat-api.ts'
import { createFakeModel, type FakeModel } from '../world/models/fake-model.ts'
import { shownText } from '../world/transcript.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'

let model: FakeModel
let world: World
beforeAll(async () => {
  model = await createFakeModel()
  world = await createWorld({
    settings: {
      MODEL_BASE_URL: model.url,
      MAX_CONCURRENT_ACTIVITIES: '8',
      MAX_CONCURRENT_RUNS: '4',
      MIN_CONCURRENT_RUNS: '4',
      SANDBOX_STARTS: '1',
    },
  })
})
beforeEach(() => {
  // A model call for this prompt gets no response.
  model.always(({ body }) =>
    JSON.stringify(body.messages).includes('hold') ? { delayMs: Infinity } : { text: 'Here it is.' },
  )
})
afterAll(async () => {
  await world.close()
  await model.close()
})

type Started = { runId: string; chatId: string }

const start = async ({ key }: TestAccount, prompt: string): Promise<Started> => {
  const response = await world.request<Started>('POST', '/api/chat/runs', { key, body: { prompt } })
  expect(response.status).toBe(202)
  return response.body
}

const countRuns = async ({ id }: TestAccount, status: string): Promise<number> => {
  const [row] = await world.db<[{ count: number }]>`
    select count(*)::int as count from runs where account_id = ${id} and status = ${status}`
  return row.count
}

const untilCounted = (description: string, account: TestAccount, status: string, count: number) =>
  eventually(description, async () => ((await countRuns(account, status)) === count ? true : undefined))

const countStarted = async ({ id }: TestAccount): Promise<number> => {
  const [row] = await world.db<[{ count: number }]>`
    select count(*)::int as count from sessions where account_id = ${id} and lifecycle_state = 'active'`
  return row.count
}

const stop = async ({ key }: TestAccount, { chatId }: Started): Promise<void> => {
  expect((await world.request('POST', `/api/chat/${chatId}/stop`, { key })).status).toBe(200)
}

test('an account uses only its share of the slots, and its other runs wait while other accounts use their shares', async () => {
  const [busyAccount, otherAccount] = [await world.makeAccount(), await world.makeAccount()]
  const heldRuns: Started[] = []
  for (let run = 0; run < 8; run++) heldRuns.push(await start(busyAccount, 'hold'))
  await untilCounted('three runs', busyAccount, 'running', 3)
  for (let run = 0; run < 2; run++) await start(otherAccount, '@say done')
  await untilCounted('the runs of another account', otherAccount, 'completed', 2)
  expect([await countRuns(busyAccount, 'running'), await countRuns(busyAccount, 'queued')]).toEqual([3, 5])
  // Waiting runs exist only in the database.
  const waiting = await world.db<{ id: string }[]>`
    select id from runs where account_id = ${busyAccount.id} and status = 'queued' order by created_at`
  for (const { id } of waiting) expect(await world.engine.readState(id)).toBe('unknown')
  // The end of a run admits the next run, and a waiting run can be stopped.
  const [oldest, ...others] = heldRuns
  if (oldest === undefined) throw new Error('no run started')
  await stop(busyAccount, oldest)
  await untilCounted('the next run', busyAccount, 'running', 3)
  expect(await countRuns(busyAccount, 'queued')).toBe(4)
  for (const run of others.toReversed()) await stop(busyAccount, run)
  await untilCounted('the end of all runs', busyAccount, 'cancelled', 8)
})

test('chat turns of one account leave slots for others and continue once the account has a slot again', async () => {
  const { openChatWithoutCommands, post, send, stop } = createChatApi(world)
  const [busyAccount, otherAccount] = [await world.makeAccount(), await world.makeAccount()]
  const chats = []
  for (let turn = 0; turn < 7; turn++) {
    const chat = await openChatWithoutCommands(busyAccount)
    await (await post(chat, 'hold')).body?.cancel()
    chats.push(chat)
  }
  await untilCounted('the share of the account', busyAccount, 'running', 6)
  expect(shownText(await send(await openChatWithoutCommands(otherAccount), 'hello'))).toBe('Here it is.')
  expect(await countRuns(busyAccount, 'queued')).toBe(1)
  const [oldest, ...others] = chats
  if (oldest === undefined) throw new Error('no chat was opened')
  await stop(oldest)
  await untilCounted('the last turn', busyAccount, 'queued', 0)
  for (const chat of others) await stop(chat)
  await untilCounted('the end of all turns', busyAccount, 'cancelled', 7)
})

test('sandbox starts alternate between accounts, even if many starts of one account wait', async () => {
  const [busyAccount, otherAccount] = [await world.makeAccount(), await world.makeAccount()]
  const open = async ({ key }: TestAccount): Promise<string> => {
    type Opened = { session: { id: string } }
    return (await world.request<Opened>('POST', '/api/sessions', { key, body: {} })).body.session.id
  }
  const provision = ({ key }: TestAccount, sessionId: string) =>
    world.request('POST', '/api/sandbox', { key, body: { sessionId } })
  const sessions: string[] = []
  for (let session = 0; session < 8; session++) sessions.push(await open(busyAccount))
  const otherSession = await open(otherAccount)
  const provisions = sessions.map((sessionId) => provision(busyAccount, sessionId))
  await eventually('the first sandbox', async () => ((await countStarted(busyAccount)) > 0 ? true : undefined))
  const { runId } = await start(otherAccount, '@say done')
  expect((await provision(otherAccount, otherSession)).status).toBe(200)
  const countBefore = async (sessionId: string): Promise<number> => {
    const [before] = await world.db<[{ count: number }]>`
      select count(*)::int as count from sessions
      where account_id = ${busyAccount.id}
        and sandbox_started_at < (select sandbox_started_at from sessions where id = ${sessionId})`
    return before.count
  }
  // One start was in progress, and another may have left the queue before the start of the other account entered it.
  expect(await countBefore(otherSession)).toBeLessThan(5)
  // The sandbox of a headless run has a lower priority and waits for at most the share of an account.
  await untilCounted('the end of the run', otherAccount, 'completed', 1)
  const [run] = await world.db<[{ sessionId: string }]>`select session_id from runs where id = ${runId}`
  expect(await countBefore(run.sessionId)).toBeLessThan(8)
  for (const { status } of await Promise.all(provisions)) expect(status).toBe(200)
})

test.each([
  ['grow by a quarter while runs wait and there is room', 8, { held: 6, isWaiting: true, load: 'calm' }, 10],
  ['stay while the resource is nearly busy', 8, { held: 8, isWaiting: true, load: 'steady' }, 8],
  ['shrink by a quarter while it is busy', 8, { held: 8, isWaiting: true, load: 'busy' }, 6],
  ['shrink to the number in use once no run waits', 8, { held: 5, isWaiting: false, load: 'calm' }, 5],
  ['never fall below the minimum', 3, { held: 3, isWaiting: true, load: 'busy' }, 3],
  ['never fall below the minimum while idle', 8, { held: 0, isWaiting: false, load: 'calm' }, 3],
  ['never exceed the maximum', 15, { held: 15, isWaiting: true, load: 'calm' }, 16],
] as const)('slots %s', (_, count, use, expected) => {
  expect(nextSlotCount(count, use, { min: 3, max: 16 })).toBe(expected)
})

test('the load of a worker follows from its timer delay, and that of a machine from its idle CPU share', () => {
  expect([0, 10, 11, 30, 31, Infinity].map(classifyTimerDelay)).toEqual([
    'calm',
    'calm',
    'steady',
    'steady',
    'busy',
    'busy',
  ])
  expect([1, 0.2, 0.19, 0.05, 0.04, 0].map(classifyIdleShare)).toEqual([
    'calm',
    'calm',
    'steady',
    'steady',
    'busy',
    'busy',
  ])
})

test('an account never gets all slots, unless there is only one', () => {
  expect([1, 2, 3, 4, 8, 500].map(maxSlotsPerAccount)).toEqual([1, 1, 2, 3, 6, 375])
})
