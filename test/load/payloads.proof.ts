import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { NativeConnection, Worker } from '@temporalio/worker'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connectClient } from '../../engine/connect.ts'
import { dataConverter } from '../../engine/payloads.ts'
import { bundleWorkflows } from '../../workers/bundle.ts'
import { installTestRuntime } from '../world/test-runtime.ts'
import { maxPayloadBytes, payloadTooLarge } from '../../workflows/messages.ts'
import type { LargeActivities } from './large-workflows.ts'

const taskQueue = `payloads-${randomUUID()}`
const calls = { receiveText: 0, returnText: 0 }
const activities: LargeActivities = {
  receiveText: async (text) => {
    calls.receiveText++
    return text.length
  },
  returnText: async (length) => {
    calls.returnText++
    return 'x'.repeat(length)
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

const run = (type: 'passArgument' | 'requestResult', length: number): Promise<string> =>
  engine.client.workflow.execute(type, { taskQueue, workflowId: randomUUID(), args: [length] })

// The encoded payload is a JSON string with two quotes.
const maxTextLength = maxPayloadBytes - 2

test('an activity with too large an argument fails before it is scheduled, and the workflow continues', async () => {
  expect(await run('passArgument', maxTextLength)).toBe(String(maxTextLength))
  expect(calls.receiveText).toBe(1)
  expect(await run('passArgument', maxTextLength + 1)).toBe(payloadTooLarge)
  expect(calls.receiveText).toBe(1)
})

test('an activity with too large a result fails without a retry', async () => {
  expect(await run('requestResult', maxTextLength)).toBe(String(maxTextLength))
  expect(await run('requestResult', maxTextLength + 1)).toBe(payloadTooLarge)
  expect(calls.returnText).toBe(2)
})

test('a workflow with too large an input is not started', async () => {
  const workflowId = randomUUID()
  const start = engine.client.workflow.start('requestResult', {
    taskQueue,
    workflowId,
    args: ['x'.repeat(maxTextLength + 1)],
  })
  await expect(start).rejects.toMatchObject({ type: payloadTooLarge })
  await expect(engine.client.workflow.getHandle(workflowId).describe()).rejects.toThrow()
})
