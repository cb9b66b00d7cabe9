import { captureTerms, profileHosts } from '../../config.ts'
import { storePlatformSongs } from '../../db/catalogs/platform-songs.ts'
import { acceptMeasurementJob } from '../../db/measurements/accept.ts'
import { toFoundSongs } from '../../domain/measurements/capture.ts'
import { connectClient, engineAddress } from '../../engine/connect.ts'
import { createReleases, createTracks } from '../../providers/streaming/embedded/discography.ts'
import { valueArtist } from '../../workflows/valuation/messages.ts'
import { addCounts } from '../catalogs/catalogs.ts'
import { eventually, type World } from '../world/world.ts'

/** Creates a measurement of the artist's releases whose results are stored but whose job is still running. */
export const makeRunning = async (
  world: World,
  accountId: string,
  streamingArtistId: string,
  playCount = 1_000_000,
): Promise<{ snapshotId: string; songCount: number }> => {
  const albumIds = createReleases(streamingArtistId).map(({ albumId }) => albumId)
  const usage = { source: 'api' as const, modelId: 'test' }
  const request = { accountId, albumIds, streamingArtistId, isrcs: null, usage }
  const job = await world.db.begin((tx) => acceptMeasurementJob(tx, request, captureTerms(world.config)))
  // Prevents a worker from starting the job or considering it lost.
  await world.db`update background_runs set engine_started_at = now() + interval '1 hour' where id = ${job.runId}`
  await world.db`update playcount_snapshots set state = 'running', earliest_release = '2016-07-01' where id = ${job.id}`
  const songs = toFoundSongs(albumIds.flatMap(createTracks))
  await world.db.begin((tx) => storePlatformSongs(tx, songs, profileHosts(world.config)))
  const isrcs = [...new Set(songs.map(({ isrc }) => isrc))]
  await addCounts(
    world,
    job.id,
    isrcs.map((isrc) => ({ isrc, playCount })),
  )
  return { snapshotId: job.id, songCount: isrcs.length }
}

/** Sets the final state that a valuation reads. */
export const endMeasurement = async (world: World, snapshotId: string, state: 'done' | 'failed'): Promise<void> => {
  await world.db`update playcount_snapshots set state = ${state} where id = ${snapshotId}`
}

/** Returns the workflow id of the account's valuation of an artist. */
export const buildValuationId = (accountId: string, streamingArtistId: string): string =>
  valueArtist.id({ accountId, ownerId: accountId, streamingArtistId, source: 'api' })

/** Resolves when the valuation has begun to wait for its measurement. */
export const untilFollowing = async (world: World, workflowId: string): Promise<void> => {
  const engine = await connectClient(engineAddress(world.config, world.temporalAddress))
  try {
    await eventually('a valuation that waits for its measurement', async () => {
      if ((await world.engine.readState(workflowId)) === 'unknown') return undefined
      const { events } = await engine.client.workflow.getHandle(workflowId).fetchHistory()
      const activityTypes = (events ?? []).map(
        (event) => event.activityTaskScheduledEventAttributes?.activityType?.name,
      )
      return activityTypes.includes('readMeasurement') || undefined
    })
  } finally {
    await engine.close()
  }
}
