import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectClient, engineAddress } from '../../../engine/connect.ts'
import { buildWith } from '../../crash/cluster/builds.ts'
import { startWorkerInProcess } from '../../crash/processes.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { createSandboxApi } from './sandbox-api.ts'
import { watchSandbox } from '../../../workflows/sandboxes/messages.ts'
import { wakeWatcher } from '../../../workers/sweeps/sandboxes.ts'

const settings = { SANDBOX_CHECK_SECONDS: '1' }

let world: World
let sandboxApi: ReturnType<typeof createSandboxApi>
beforeAll(async () => {
  world = await createWorld({ worker: false, settings })
  sandboxApi = createSandboxApi(world)
})
afterAll(() => world.close())

const withClient = async <T>(call: (client: Awaited<ReturnType<typeof connectClient>>['client']) => Promise<T>) => {
  const engine = await connectClient(engineAddress(world.config, world.temporalAddress))
  try {
    return await call(engine.client)
  } finally {
    await engine.close()
  }
}

const describeWatch = (sessionId: string) =>
  withClient(async (client) => {
    const { runId, status, historyLength } = await client.workflow.getHandle(`sandbox:${sessionId}`).describe()
    return { runId, status: status.name, historyLength }
  })

test('a watch continues as new when Temporal suggests it, and remains the only watch of its sandbox', async () => {
  // Temporal suggests this after thousands of events; the replacement, after forty.
  const replacement = { find: 'workflowInfo().continueAsNewSuggested', replace: 'workflowInfo().historyLength > 40' }
  const WORKFLOW_BUNDLE = await buildWith([replacement], 'sandboxes/lifecycle.ts')
  const worker = await startWorkerInProcess(world, { ...settings, WORKFLOW_BUNDLE })
  const { sessionId } = await sandboxApi.chatApi.openChat()
  const first = await eventually('the watch', () => describeWatch(sessionId).catch(() => undefined))
  const later = await eventually(
    'another history',
    async () => {
      await world.engine.start(watchSandbox, { sessionId: sessionId })
      const watch = await describeWatch(sessionId)
      return watch.runId === first.runId ? undefined : watch
    },
    60_000,
  )
  expect(later.status).toBe('RUNNING')
  expect(later.historyLength).toBeLessThan(40)
  const { lifecycleRunId, lifecycleState } = await sandboxApi.requireRow(sessionId)
  expect([lifecycleState, lifecycleRunId]).toEqual(['active', expect.stringMatching(/^watch_/)])
  await sandboxApi.passIdle(sessionId)
  await world.engine.start(watchSandbox, { sessionId: sessionId })
  await sandboxApi.untilState(sessionId, 'hibernated')
  await sandboxApi.untilUnwatched(sessionId)
  await worker.stop()
})

test('a hundred concurrent wake-ups create one watch and change nothing', async () => {
  const worker = await startWorkerInProcess(world, settings)
  const { sessionId } = await sandboxApi.chatApi.openChat()
  const before = await sandboxApi.requireRow(sessionId)
  await Promise.all(Array.from({ length: 100 }, () => world.engine.start(watchSandbox, { sessionId: sessionId })))
  const open = await withClient(async (client) => {
    const runIds: string[] = []
    const query = `WorkflowId = 'sandbox:${sessionId}'`
    for await (const { runId } of client.workflow.list({ query })) runIds.push(runId)
    return runIds
  })
  expect(open.length).toBeLessThanOrEqual(1)
  await sandboxApi.passIdle(sessionId)
  await world.engine.start(watchSandbox, { sessionId: sessionId })
  const row = await sandboxApi.untilState(sessionId, 'hibernated')
  expect(row.lifecycleVersion).toBe(before.lifecycleVersion + 2)
  await worker.stop()
})

test('a watch that no worker can continue is replaced', async () => {
  const other = { find: 'const action = await', replace: "await sleep('1ms')\n    const action = await" }
  const WORKFLOW_BUNDLE = await buildWith([other], 'sandboxes/lifecycle.ts')
  const incompatibleWorker = await startWorkerInProcess(world, { ...settings, WORKFLOW_BUNDLE })
  const { sessionId } = await sandboxApi.chatApi.openChat()
  const first = await eventually('the watch', () => describeWatch(sessionId).catch(() => undefined))
  await eventually(
    'some history',
    async () => ((await describeWatch(sessionId)).historyLength > 8 ? true : undefined),
    30_000,
  )
  await incompatibleWorker.stop()
  await sandboxApi.passIdle(sessionId)
  const worker = await startWorkerInProcess(world, settings)
  await world.engine.start(watchSandbox, { sessionId: sessionId })
  await eventually(
    'the stuck watch',
    async () => (await world.engine.findStuckReason(`sandbox:${sessionId}`)) || undefined,
    60_000,
  )
  await wakeWatcher(world.engine, sessionId)
  await sandboxApi.untilState(sessionId, 'hibernated')
  expect((await describeWatch(sessionId)).runId).not.toBe(first.runId)
  await worker.stop()
})
