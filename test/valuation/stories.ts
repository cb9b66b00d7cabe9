import type { World } from '../world/world.ts'
import { endMeasurement, makeRunning, untilFollowing, valuationOf } from './measured.ts'

type Told = { story: (world: World) => Promise<string> }

const ending =
  (state: 'done' | 'failed'): Told['story'] =>
  async (world) => {
    const { id, key } = await world.makeAccount()
    const { snapshotId } = await makeRunning(world, id, 'recorded1')
    const body = { streaming_artist_id: 'recorded1' }
    const asked = world.request('POST', '/api/valuation', { key, body })
    await untilFollowing(world, valuationOf(id, 'recorded1'))
    await endMeasurement(world, snapshotId, state)
    await asked
    return valuationOf(id, 'recorded1')
  }

/** Every path of a valuation, for the recorder of histories. */
export const valuationStories: Record<string, Told> = {
  'value-artist': { story: ending('done') },
  'value-artist-failed': { story: ending('failed') },
  'value-artist-refused': {
    story: async (world) => {
      const { id, key } = await world.makeAccount()
      await world.request('POST', '/api/valuation', { key, body: { streaming_artist_id: 'releases0' } })
      return valuationOf(id, 'releases0')
    },
  },
}
