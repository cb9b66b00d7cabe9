import { endLeftBehind } from '../../workflows/scrapers/messages.ts'
import { settleHold } from '../../workflows/credits/messages.ts'
import type { World } from '../world/world.ts'
import { createJobsApi } from './jobs-api.ts'

type Scenario = { play: (world: World) => Promise<string> }

const playMeasurement =
  (albumIds: string[], during: (world: World, runId: string, key: string) => Promise<void> = async () => {}) =>
  async (world: World): Promise<string> => {
    const jobs = createJobsApi(() => world)
    const payer = await world.makeAccount({ credits: 1_000_000 })
    const { id, runId } = await jobs.start(payer, albumIds)
    await during(world, runId, payer.key)
    await jobs.untilEnded(payer, id)
    return runId
  }

const cancel = async (world: World, runId: string, key: string): Promise<void> => {
  await world.request('DELETE', `/api/tasks/runs?runId=${runId}`, { key })
}

/** Scenarios of the measurement workflows, for the history recorder. */
export const measurementScenarios: Record<string, Scenario> = {
  'capture-play-counts': { play: playMeasurement(['a001releases2', 'a002releases2']) },
  'capture-play-counts-failed': { play: playMeasurement(['a001failing1']) },
  'capture-play-counts-cancelled': { play: playMeasurement(['a001hanging1'], cancel) },
  'end-capture-left-behind': {
    play: async (world) => {
      const jobs = createJobsApi(() => world)
      const payer = await world.makeAccount({ credits: 1_000_000 })
      const { id, runId } = await jobs.start(payer, ['a001hanging9'])
      await jobs.untilProviderRun(id)
      await world.engine.terminate(runId)
      await world.db`update background_runs set status = 'SYSTEM_FAILURE', finished_at = now() where id = ${runId}`
      await jobs.untilEnded(payer, id)
      return endLeftBehind('endCaptureLeftBehind').id({ runId, isCancelled: false })
    },
  },
  'settle-hold': {
    play: async (world) => {
      const { id: accountId } = await world.makeAccount({ credits: 1_000_000 })
      const usage = { source: 'api' as const, modelId: 'POST /api/research/events' }
      await world.engine.join(settleHold, { accountId, amount: 10_000, reference: 'events:recorded', usage }, 30_000)
      return 'settle:events:recorded'
    },
  },
}
