import { randomUUID } from 'node:crypto'
import { profileHosts } from '../../config.ts'
import { storePlatformSongs } from '../../db/catalogs/platform-songs.ts'
import { insertMeasurements } from '../../db/measurements/measurements.ts'
import type { FoundSong } from '../../domain/measurements/capture.ts'
import type { World } from '../world/world.ts'

let codes = 0
/** Returns a recording code that is unique among the tests. */
export const newIsrc = (): string => `QZ${String(codes++).padStart(10, '0')}`

/** Returns a recording of the streaming platform, by default of an artist with a new id. */
export const platformSong = (changes: Partial<FoundSong> = {}): FoundSong => {
  const isrc = changes.isrc ?? newIsrc()
  return {
    isrc,
    trackId: `track${isrc}`,
    albumId: `album${isrc}`,
    name: `Song ${isrc}`,
    album: 'First album',
    artworkUrl: null,
    artists: [{ id: randomUUID().replaceAll('-', ''), name: 'Ada' }],
    ...changes,
  }
}

export const storeSongs = async (world: World, songs: FoundSong[]): Promise<void> => {
  await world.db.begin((tx) => storePlatformSongs(tx, songs, profileHosts(world.config)))
}

type Count = { isrc: string; playCount: number }

/** Creates a snapshot of the account as a measurement job does. */
export const makeSnapshot = async (
  world: World,
  accountId: string,
  changes: {
    counts?: Count[]
    capturedAt?: Date
    state?: string
    catalogId?: string
    earliestRelease?: string | null
  } = {},
): Promise<string> => {
  const id = randomUUID()
  await world.db`
    insert into playcount_snapshots (
      id, account_id, run_id, album_ids, platforms, album_hash, state, album_count, estimated_cost_usd, catalog_id,
      earliest_release
    ) values (
      ${id}, ${accountId}, ${`run_${id}`}, ${['album']}::text[], ${['STREAMING']}::text[], ${id},
      ${changes.state ?? 'done'}, 1, 0.003, ${changes.catalogId ?? null}, ${changes.earliestRelease ?? null}::date
    )`
  await addCounts(world, id, changes.counts ?? [], changes.capturedAt)
  return id
}

export const addCounts = async (
  world: World,
  snapshotId: string,
  measurements: Count[],
  capturedAt = new Date(),
): Promise<void> => {
  await world.db.begin((tx) =>
    insertMeasurements(tx, { snapshotId, capturedAt, source: 'test', providerRunId: 'one', measurements }),
  )
}
