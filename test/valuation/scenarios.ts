import type { World } from '../world/world.ts'
import { endMeasurement, makeRunning, untilFollowing, buildValuationId } from './measured.ts'

type Scenario = { play: (world: World) => Promise<string> }

const playEnding =
  (state: 'done' | 'failed'): Scenario['play'] =>
  async (world) => {
    const { id, key } = await world.makeAccount()
    const { snapshotId } = await makeRunning(world, id, 'recorded1')
    const body = { streaming_artist_id: 'recorded1' }
    const valuationResponse = world.request('POST', '/api/valuation', { key, body })
    await untilFollowing(world, buildValuationId(id, 'recorded1'))
    await endMeasurement(world, snapshotId, state)
    await valuationResponse
    return buildValuationId(id, 'recorded1')
  }

/** Scenarios of a valuation, for the history recorder. */
export const valuationScenarios: Record<string, Scenario> = {
  'value-artist': { play: playEnding('done') },
  'value-artist-failed': { play: playEnding('failed') },
  'value-artist-refused': {
    play: async (world) => {
      const { id, key } = await world.makeAccount()
      await world.request('POST', '/api/valuation', { key, body: { streaming_artist_id: 'releases0' } })
      return buildValuationId(id, 'releases0')
    },
  },
}
