import type { World, WorldOptions } from '../../world/world.ts'
import { failStarts, settings, createTaskRunsApi } from './task-runs-api.ts'

type Scenario = { options: WorldOptions; play: (world: World) => Promise<string> }

/** Fires a due task and returns the id of its run when the run has ended. */
const playDueTask =
  (fields: { prompt: string; title?: string }, prepare: (world: World, taskId: string) => Promise<unknown>) =>
  async (world: World): Promise<string> => {
    const taskRunsApi = createTaskRunsApi(world)
    const owner = await world.makeAccount()
    const taskId = await taskRunsApi.makeTask(owner, fields)
    await prepare(world, taskId)
    await taskRunsApi.fire(taskId)
    return (await taskRunsApi.untilAllEnded(owner, taskId, 1))[0]?.id ?? ''
  }

/** Fires a due task and returns the workflow id of the fire when its run has ended. */
const playFire =
  (prepare: (world: World, taskId: string) => Promise<unknown>) =>
  async (world: World): Promise<string> => {
    const taskRunsApi = createTaskRunsApi(world)
    const owner = await world.makeAccount()
    const taskId = await taskRunsApi.makeTask(owner, { prompt: '@say recorded words' })
    await prepare(world, taskId)
    const workflowId = await taskRunsApi.fireAt(taskId, '2026-01-01T00:00:00Z')
    await taskRunsApi.untilAllEnded(owner, taskId, 1)
    return workflowId
  }

/** Scenarios of the scheduled-task workflow, for the history recorder. */
export const taskRunScenarios: Record<string, Scenario> = {
  'scheduled-task': {
    options: { settings },
    play: playDueTask({ prompt: '@say recorded words' }, () => Promise.resolve()),
  },
  'fire-task': { options: { settings }, play: playFire(() => Promise.resolve()) },
  'fire-task-skipped': {
    options: { settings },
    play: playFire((world, taskId) => world.db`update tasks set enabled = false where id = ${taskId}`),
  },
  'scheduled-task-failed': {
    options: { settings },
    play: playDueTask({ prompt: '@say recorded words', title: 'fails 3' }, failStarts),
  },
  'scheduled-task-retried': {
    options: { settings },
    play: playDueTask({ prompt: '@say recorded words', title: 'fails 1' }, failStarts),
  },
  'scheduled-task-cancelled': {
    options: { settings },
    play: async (world) => {
      const taskRunsApi = createTaskRunsApi(world)
      const owner = await world.makeAccount()
      await failStarts(world)
      const taskId = await taskRunsApi.makeTask(owner, { prompt: '@say recorded words', title: 'fails 2' })
      const { runId } = (await taskRunsApi.runNow(owner, taskId)).body
      await taskRunsApi.untilRun(owner, runId, 'the pause', ({ status }) => status === 'REATTEMPTING')
      await taskRunsApi.cancel(owner, runId)
      return runId
    },
  },
  'scheduled-task-now': {
    options: { settings },
    play: async (world) => {
      const taskRunsApi = createTaskRunsApi(world)
      const owner = await world.makeAccount()
      const taskId = await taskRunsApi.makeTask(owner, { prompt: '@say recorded words' })
      const { runId } = (await taskRunsApi.runNow(owner, taskId)).body
      await taskRunsApi.untilEnded(owner, runId)
      return runId
    },
  },
}
