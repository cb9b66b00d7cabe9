import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectClient, engineAddress } from '../../engine/connect.ts'
import { buildWith } from '../crash/cluster/builds.ts'
import { startWorkerProcess } from '../crash/processes.ts'
import { faultsOf, framesOf, readTranscript } from '../world/transcript.ts'
import { createWorld } from '../world/world.ts'
import type { World } from '../world/world.ts'
import { actOn } from './turn.ts'

const settings = { STEP_LIMIT: '12' }

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false, settings })
})
afterAll(() => world.close())

const hasGoneOn = async (runId: string): Promise<boolean> => {
  const engine = await connectClient(engineAddress(world.config, world.temporalAddress))
  try {
    const { runId: latest, raw } = await engine.client.workflow.getHandle(runId).describe()
    return raw.workflowExecutionInfo?.firstRunId !== latest
  } finally {
    await engine.close()
  }
}

test('a turn of many calls goes on in a new history before the engine ends it for its length', async () => {
  // Of the thousands of events after which the engine suggests it, some.
  const sooner = { find: 'workflowInfo().continueAsNewSuggested', replace: 'workflowInfo().historyLength > 30' }
  const WORKFLOW_BUNDLE = await buildWith([sooner], 'chat/parallel-calls.ts')
  const worker = await startWorkerProcess(world, { ...settings, WORKFLOW_BUNDLE })
  const act = actOn(world)
  const response = await act.post(await act.openChat(), '@loop')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const transcript = await readTranscript(response)
  expect(faultsOf(transcript)).toEqual([])
  expect(framesOf(transcript).filter(({ type }) => type === 'start-step')).toHaveLength(12)
  expect(framesOf(transcript).at(-1)).toMatchObject({ messageMetadata: { endReason: 'step_limit' } })
  expect(await hasGoneOn(runId)).toBe(true)
  await worker.stop()
})
