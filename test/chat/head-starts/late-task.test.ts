import { randomUUID } from 'node:crypto'
import { NativeConnection, Worker } from '@temporalio/worker'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import type { TurnAction } from '../../../domain/chat/turns.ts'
import { connectClient } from '../../../engine/connect.ts'
import { dataConverter } from '../../../engine/payloads.ts'
import { installTestRuntime } from '../../world/test-runtime.ts'

const taskQueue = `late-task-${randomUUID()}`
const ended: TurnAction = { next: 'nothing', recordsDiff: false }
let lookup: () => Promise<TurnAction | null>
let calls: string[]
const activities = {
  endedAhead: () => {
    calls.push('endedAhead')
    return lookup()
  },
  advanceTurn: async () => {
    calls.push('advanceTurn')
    return ended
  },
}

let engine: Awaited<ReturnType<typeof connectClient>>
let connection: NativeConnection
let worker: Worker
let running: Promise<void>
beforeAll(async () => {
  installTestRuntime(pino({ level: 'silent' }))
  const address = inject('temporalAddress')
  engine = await connectClient({ address, namespace: 'default', tls: false })
  connection = await NativeConnection.connect({ address })
  const workflowBundle = { codePath: inject('built').workflowBundle }
  worker = await Worker.create({ connection, taskQueue, workflowBundle, dataConverter, activities })
  running = worker.run()
})
afterAll(async () => {
  worker.shutdown()
  await running
  await connection.close()
  await engine.close()
})
beforeEach(() => {
  lookup = async () => ended
  calls = []
})

/** Executes a turn whose first workflow task is delayed by `startDelay`. Returns the number of history events. */
const runTurn = async (startDelay: string): Promise<number> => {
  const workflowId = randomUUID()
  const args = [{ runId: workflowId, timeLimitMs: 60_000 }]
  await engine.client.workflow.execute('runTurn', { taskQueue, workflowId, args, startDelay })
  const { events } = await engine.client.workflow.getHandle(workflowId).fetchHistory()
  return events?.length ?? 0
}

test('a turn that a head start completed before its first workflow task ends without a scheduled activity', async () => {
  expect(await runTurn('1s')).toBe(6)
  expect(calls).toEqual(['endedAhead'])
})

test.each([
  ['finds no completed head start', async () => null],
  ['fails', () => Promise.reject(new Error('no memory to read'))],
])('a turn advances in an activity if the lookup %s', async (_, result) => {
  lookup = result
  expect(await runTurn('1s')).toBe(12)
  expect(calls).toEqual(['endedAhead', 'advanceTurn'])
})
