import type { World, WorldOptions } from '../../world/world.ts'
import { failStarts, settings, taskRunsOn } from './tasks.ts'

type Told = { options: WorldOptions; story: (world: World) => Promise<string> }

/** The run of a task that was due, when it has ended. */
const due =
  (given: { prompt: string; title?: string }, prepare: (world: World, taskId: string) => Promise<unknown>) =>
  async (world: World): Promise<string> => {
    const act = taskRunsOn(world)
    const owner = await world.makeAccount()
    const taskId = await act.makeTask(owner, given)
    await prepare(world, taskId)
    await act.fire(taskId)
    return (await act.untilAllEnded(owner, taskId, 1))[0]?.id ?? ''
  }

/** Every path of the workflow of scheduled tasks, for the recorder of histories. */
export const taskRunStories: Record<string, Told> = {
  'scheduled-task': {
    options: { settings },
    story: due({ prompt: '@say recorded words' }, () => Promise.resolve()),
  },
  'scheduled-task-skipped': {
    options: { settings },
    story: due(
      { prompt: '@say recorded words' },
      (world, taskId) => world.db`update tasks set enabled = false where id = ${taskId}`,
    ),
  },
  'scheduled-task-failed': {
    options: { settings },
    story: due({ prompt: '@say recorded words', title: 'fails 3' }, failStarts),
  },
  'scheduled-task-retried': {
    options: { settings },
    story: due({ prompt: '@say recorded words', title: 'fails 1' }, failStarts),
  },
  'scheduled-task-cancelled': {
    options: { settings },
    story: async (world) => {
      const act = taskRunsOn(world)
      const owner = await world.makeAccount()
      await failStarts(world)
      const taskId = await act.makeTask(owner, { prompt: '@say recorded words', title: 'fails 2' })
      const { runId } = (await act.runNow(owner, taskId)).body
      await act.untilRun(owner, runId, 'the pause', ({ status }) => status === 'REATTEMPTING')
      await act.cancel(owner, runId)
      return runId
    },
  },
  'scheduled-task-now': {
    options: { settings },
    story: async (world) => {
      const act = taskRunsOn(world)
      const owner = await world.makeAccount()
      const taskId = await act.makeTask(owner, { prompt: '@say recorded words' })
      const { runId } = (await act.runNow(owner, taskId)).body
      await act.untilEnded(owner, runId)
      return runId
    },
  },
}
