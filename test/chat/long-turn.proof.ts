import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectClient, engineAddress } from '../../engine/connect.ts'
import { buildWith } from '../crash/cluster/builds.ts'
import { startWorkerInProcess, type Part } from '../crash/processes.ts'
import { listFaults, listFrames, readTranscript, shownText } from '../world/transcript.ts'
import { createWorld, type World } from '../world/world.ts'
import { createChatApi } from './chat-api.ts'

const settings = { STEP_LIMIT: '12' }

let world: World
beforeAll(async () => {
  world = await createWorld({ worker: false, settings })
})
afterAll(() => world.close())

const startWorker = async (): Promise<Pick<Part, 'stop'>> => {
  // Temporal suggests to continue as new only after thousands of events.
  const earlySuggestion = {
    find: 'workflowInfo().continueAsNewSuggested',
    replace: 'workflowInfo().historyLength > 20',
  }
  const WORKFLOW_BUNDLE = await buildWith([earlySuggestion])
  return startWorkerInProcess(world, { ...settings, WORKFLOW_BUNDLE })
}

/** Returns whether the run continued as new, and the first activity of its latest execution. */
const readContinuation = async (runId: string) => {
  const engine = await connectClient(engineAddress(world.config, world.temporalAddress))
  try {
    const handle = engine.client.workflow.getHandle(runId)
    const { runId: latest, raw } = await handle.describe()
    const { events } = await handle.fetchHistory()
    const activities = (events ?? []).flatMap(
      ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name ?? [],
    )
    return { isContinued: raw.workflowExecutionInfo?.firstRunId !== latest, firstActivity: activities[0] }
  } finally {
    await engine.close()
  }
}

test('a turn with many sub-agents continues in a new workflow execution without a change in its stream', async () => {
  const worker = await startWorker()
  const chatApi = createChatApi(world)
  const taskLine = `@task ${Array.from({ length: 4 }, () => '@garbage-call').join(' ;; --- ;; ')}`
  const lines = [...Array.from({ length: 6 }, () => taskLine), '---', '$ echo after', '---', '@say All done.']
  const chat = await chatApi.openChat()
  const response = await chatApi.post(chat, lines.join('\n'))
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const transcript = await readTranscript(response)
  // The new execution first reads the remaining time.
  expect(await readContinuation(runId)).toEqual({ isContinued: true, firstActivity: 'beginTurn' })
  expect(listFaults(transcript)).toEqual([])
  expect(shownText(transcript)).toBe('All done.')
  expect(listFrames(transcript).filter(({ type }) => type === 'start-step')).toHaveLength(3)
  expect(await chatApi.runStatus(chat.account, runId)).toBe('completed')
  await worker.stop()
})
