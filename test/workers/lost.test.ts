import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimLostWorkers, saveReport } from '../../db/operator/reports.ts'
import { openProcessLock } from '../../db/postgres/process-lock.ts'
import { createWorld, type World } from '../world/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false })
})
afterAll(() => world.close())

const machineId = randomUUID()
const figures = { memoryBytes: 1, processorShare: 0, eventLoopDelayMs: 0 }
const report = (processId: number, part: 'worker' | 'api' = 'worker') =>
  saveReport(world.db, { processId, part, machineId, host: 'here', pid: 1, build: 'b', startedAt: new Date(), figures })
const claim = () => claimLostWorkers(world.db, 1)

test('a dead worker is assigned to exactly one of the live workers that poll concurrently', async () => {
  await report(11)
  const claimed = await Promise.all([claim(), claim(), claim()])
  expect(claimed.flat()).toEqual([11])
  expect(await claim()).toEqual([])
})

test('a worker that reports again counts as alive, and counts as lost again when it dies', async () => {
  await report(12)
  expect(await claim()).toEqual([12])
  await report(12)
  expect(await claim()).toEqual([12])
})

test('the caller, an API, a live worker and a worker that died long ago do not count as lost', async () => {
  const lock = openProcessLock(world.applicationUrl)
  await lock.acquire()
  try {
    await Promise.all([report(1), report(13, 'api'), report(14), report(lock.processId)])
    await world.db`update process_reports set reported_at = now() - interval '2 minutes' where process_id = 14`
    expect(await claim()).toEqual([])
  } finally {
    await lock.close()
  }
})
