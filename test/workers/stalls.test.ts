import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { claimStalled, deletePulse, listPulses, writePulse } from '../../db/turns/lost/pulses.ts'
import { createStallDetector, stallTimeoutMs } from '../../workers/lost/stalls.ts'
import { createWorld, type World } from '../world/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false })
})
beforeEach(async () => {
  await world.db`delete from worker_pulses`
})
afterAll(() => world.close())

const createClock = () => {
  let at = 0
  return { now: () => at, advance: (ms: number) => void (at += ms) }
}

const createPulse = (beats: number, processId = 7) => ({ processId, beats })

test('a worker whose pulse stops counts as stalled, and a worker whose pulse beats does not', () => {
  const clock = createClock()
  const { observe } = createStallDetector(clock.now)
  expect(observe([createPulse(3), createPulse(1, 8)])).toEqual([])
  clock.advance(stallTimeoutMs / 2)
  expect(observe([createPulse(3), createPulse(2, 8)])).toEqual([])
  clock.advance(stallTimeoutMs / 2)
  expect(observe([createPulse(3), createPulse(3, 8)])).toEqual([createPulse(3)])
})

test('an overdue beat makes a worker suspicious before it counts as stalled', () => {
  const clock = createClock()
  const { observe, isSuspicious } = createStallDetector(clock.now)
  observe([createPulse(3)])
  clock.advance(1000)
  observe([createPulse(3)])
  expect(isSuspicious()).toBe(false)
  clock.advance(1000)
  observe([createPulse(3)])
  expect(isSuspicious()).toBe(true)
  observe([createPulse(4)])
  expect(isSuspicious()).toBe(false)
})

test('a period in which no pulse could be read does not count toward a stall', () => {
  const clock = createClock()
  const { observe } = createStallDetector(clock.now)
  observe([createPulse(3)])
  clock.advance(stallTimeoutMs - 1000)
  observe([createPulse(3)])
  clock.advance(60_000)
  expect(observe([createPulse(3)])).toEqual([])
  clock.advance(stallTimeoutMs)
  expect(observe([createPulse(3)])).toEqual([createPulse(3)])
})

test('the work of a stalled worker is assigned to exactly one claimant, and to none if the pulse beats again', async () => {
  await writePulse(world.db, createPulse(1))
  const { id } = await world.makeAccount()
  await world.db`
    insert into runs (id, account_id, session_id, chat_id, assistant_message_id, status, source, model_id)
    select run_id, ${id}, gen_random_uuid(), gen_random_uuid(), 'm', 'running', 'api', 'local/assistant'
    from unnest(array['stalled', 'of another']) as run_id`
  await world.db`
    insert into stream_head (run_id, day, holder, activity_id)
    values ('stalled', current_date, 7, 'a'), ('of another', current_date, 8, 'b')`
  await writePulse(world.db, createPulse(2))
  expect(await claimStalled(world.db, createPulse(1))).toEqual([])
  expect(await listPulses(world.db, 1)).toEqual([createPulse(2)])
  const claimed = await Promise.all([1, 2, 3].map(() => claimStalled(world.db, createPulse(2))))
  expect(claimed.flat()).toEqual([{ runId: 'stalled', activityId: 'a', holder: 7 }])
})

test('a worker does not observe itself, and an idle worker has no pulse', async () => {
  await writePulse(world.db, createPulse(1))
  expect(await listPulses(world.db, 7)).toEqual([])
  await deletePulse(world.db, 7)
  expect(await listPulses(world.db, 1)).toEqual([])
})
