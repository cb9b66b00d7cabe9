import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createCheckpoints, type Checkpoints } from '../../activities/sandboxes/checkpoints.ts'
import type { CheckpointResult, Sandbox } from '../../providers/sandbox/index.ts'
import { createWorld, type World } from '../world/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false })
})
afterAll(() => world.close())

const stored: CheckpointResult = { outcome: 'stored', bytes: 10, isFull: true }
const tooLarge: CheckpointResult = { outcome: 'tooLarge' }
const unreachable = new Error('the machine cannot be reached')

let sessionId: string
let next: CheckpointResult | Error
let checkpoints: Checkpoints

beforeEach(async () => {
  const { id: accountId } = await world.makeAccount()
  const machine = randomUUID()
  const [session] = await world.db<{ id: string }[]>`
    insert into sessions (account_id, title, lifecycle_state, sandbox_state)
    values (${accountId}, 'Title', 'active', '{}') returning id`
  sessionId = session?.id ?? ''
  const state = { type: 'local', sandboxName: `session-${sessionId}`, machine, epoch: 1 }
  await world.db`update sessions set sandbox_state = ${world.db.json(state)} where id = ${sessionId}`
  await world.db`insert into sandbox_places (sandbox_name, machine_id) values (${state.sandboxName}, ${machine})`
  const sandbox = { checkpoint: async () => (next instanceof Error ? Promise.reject(next) : next) }
  checkpoints = createCheckpoints({
    db: world.db,
    sandboxes: { open: async () => sandbox as Partial<Sandbox> as Sandbox },
    maxBytes: 1000,
    log: pino({ level: 'silent' }),
  })
})

/** Runs a step or a push whose checkpoint has this result. Returns the number of packs that a restore would use. */
const runStep = async (result: CheckpointResult | Error, { isPush = false } = {}): Promise<number> => {
  next = result
  const end = await checkpoints.start(sessionId, { runId: 'wrun_1', step: 0 }, new AbortController().signal)
  end({ isPush })
  await checkpoints.close()
  const [row] = await world.db<{ packs: object[] }[]>`
    select packs from sandbox_checkpoints where sandbox_name = ${`session-${sessionId}`}`
  return row?.packs.length ?? 0
}

test.each([unreachable, tooLarge])(
  'if the checkpoint after a push fails, a checkpoint that contains all earlier steps is kept',
  async (failure) => {
    expect(await runStep(stored)).toBe(1)
    expect(await runStep(failure, { isPush: true })).toBe(1)
  },
)

test.each([unreachable, tooLarge])(
  'if the checkpoint after a push fails, a checkpoint that lacks a step is dropped',
  async (failure) => {
    expect(await runStep(stored)).toBe(1)
    expect(await runStep(failure)).toBe(1)
    expect(await runStep(failure, { isPush: true })).toBe(0)
  },
)

test('a checkpoint that is stored after a failed checkpoint contains all steps', async () => {
  expect(await runStep(stored)).toBe(1)
  expect(await runStep(unreachable)).toBe(1)
  expect(await runStep(stored)).toBe(1)
  expect(await runStep(unreachable, { isPush: true })).toBe(1)
})
