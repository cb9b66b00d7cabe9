import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { NativeConnection, Worker } from '@temporalio/worker'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connectClient } from '../../engine/connect.ts'
import { dataConverter } from '../../engine/payloads.ts'
import { bundleWorkflows } from '../../workers/bundle.ts'
import { installRuntime } from '../../workers/sdk-runtime.ts'
import { maxPayloadBytes, payloadTooLarge } from '../../workflows/messages.ts'
import type { LargeActivities } from './large-workflows.ts'

const taskQueue = `payloads-${randomUUID()}`
const calls = { take: 0, give: 0 }
const activities: LargeActivities = {
  take: async (text) => {
    calls.take++
    return text.length
  },
  give: async (length) => {
    calls.give++
    return 'x'.repeat(length)
  },
}

let engine: Awaited<ReturnType<typeof connectClient>>
let connection: NativeConnection
let worker: Worker
let running: Promise<void>
beforeAll(async () => {
  installRuntime(pino({ level: 'silent' }))
  const address = inject('temporalAddress')
  engine = await connectClient({ address, namespace: 'default', tls: false })
  connection = await NativeConnection.connect({ address })
  const workflowsPath = fileURLToPath(new URL('large-workflows.ts', import.meta.url))
  const workflowBundle = { code: await bundleWorkflows(workflowsPath) }
  worker = await Worker.create({ connection, taskQueue, workflowBundle, dataConverter, activities })
  running = worker.run()
})
afterAll(async () => {
  worker.shutdown()
  await running
  await connection.close()
  await engine.close()
})

const run = (type: 'handOver' | 'askFor', length: number): Promise<string> =>
  engine.client.workflow.execute(type, { taskQueue, workflowId: randomUUID(), args: [length] })

// The payload contains quotes around the text.
const fitting = maxPayloadBytes - 2

test('an activity with too large an argument fails before it is scheduled, and the workflow continues', async () => {
  expect(await run('handOver', fitting)).toBe(String(fitting))
  expect(calls.take).toBe(1)
  expect(await run('handOver', fitting + 1)).toBe(payloadTooLarge)
  expect(calls.take).toBe(1)
})

test('an activity with too large a result fails without a retry', async () => {
  expect(await run('askFor', fitting)).toBe(String(fitting))
  expect(await run('askFor', fitting + 1)).toBe(payloadTooLarge)
  expect(calls.give).toBe(2)
})

test('a workflow with too large an input is not started', async () => {
  const workflowId = randomUUID()
  const start = engine.client.workflow.start('askFor', { taskQueue, workflowId, args: ['x'.repeat(fitting + 1)] })
  await expect(start).rejects.toMatchObject({ type: payloadTooLarge })
  await expect(engine.client.workflow.getHandle(workflowId).describe()).rejects.toThrow()
})
