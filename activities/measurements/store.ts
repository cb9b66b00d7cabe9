import { findSongsOfTracks, insertIdentifiers } from '../../db/catalogs/identifiers.ts'
import { storePlatformSongs } from '../../db/catalogs/platform-songs.ts'
import { markChunkPaid, readChunk, writeChunk } from '../../db/measurements/chunks.ts'
import { readCaptureJob, showProgress } from '../../db/measurements/jobs.ts'
import { insertMeasurements } from '../../db/measurements/measurements.ts'
import type { PlatformTrack } from '../../domain/catalogs/platform-tracks.ts'
import {
  splitBatches,
  countedTracks,
  toFoundSongs,
  songMeasurements,
  tracksWithSong,
  listUnidentifiedTracks,
} from '../../domain/measurements/capture.ts'
import { albumsOfChunk } from '../../domain/measurements/chunks.ts'
import type { ScrapedAlbum } from '../../domain/measurements/scraped-albums.ts'
import { maxConcurrentTracks } from '../../providers/streaming/index.ts'
import { withHeartbeat } from '../runtime/heartbeat.ts'
import { providerCall } from '../runtime/provider-call.ts'
import { callPlatform, platformTimeoutMs } from './call-platform.ts'
import type { ChunkIds, MeasurementDeps } from './deps.ts'

const pageSize = 50

export function createStoreActivities(deps: MeasurementDeps) {
  return {
    /**
     * Maps the results of a chunk's provider run to songs. Writes songs, identifiers and play counts in one transaction
     * with the end of the chunk. Safe to run again: all counts of a chunk have one timestamp and are stored once.
     */
    storeChunk: ({ runId, chunk }: ChunkIds): Promise<void> =>
      withHeartbeat(async () => {
        const { db, scraper, catalogs } = deps
        const job = await readCaptureJob(db, runId)
        const { providerRunId, outcome } = await readChunk(db, job.id, chunk)
        if (providerRunId === null || outcome !== 'open') return
        const capturedAt = await markChunkPaid(db, { snapshotId: job.id, chunk })
        const albums = await readAlbums(deps, providerRunId)
        const scrapedIds = new Set(albums.map(({ albumId }) => albumId))
        const unmeasuredAlbumIds = albumsOfChunk(job.albumIds, chunk).filter((id) => !scrapedIds.has(id))
        const tracks = countedTracks(albums)
        const knownSongs = await findSongsOfTracks(
          db,
          tracks.map(({ trackId }) => trackId),
        )
        const songs = toFoundSongs(await readTracks(deps, listUnidentifiedTracks(tracks, knownSongs)))
        const measurements = songMeasurements(tracks, knownSongs, songs)
        const result = { measuredCount: measurements.length, unmeasuredAlbumIds }
        await db.begin(async (tx) => {
          if (!(await writeChunk(tx, { snapshotId: job.id, chunk }, result))) return
          await storePlatformSongs(tx, songs, catalogs.profileHosts)
          await insertIdentifiers(tx, tracksWithSong(tracks, knownSongs))
          await insertMeasurements(tx, {
            snapshotId: job.id,
            capturedAt,
            source: scraper.name,
            providerRunId,
            measurements,
          })
          await showProgress(tx, job)
        })
      }),
  }
}

/** Reads all results of the run, page by page. */
async function readAlbums({ scraper }: MeasurementDeps, providerRunId: string): Promise<ScrapedAlbum[]> {
  const albums: ScrapedAlbum[] = []
  for (let offset = 0; ; offset += pageSize) {
    const page = await scraper.albums({ providerRunId, offset, limit: pageSize }, providerCall())
    albums.push(...page.items)
    if (!page.hasMore) return albums
  }
}

/** Reads details of the tracks from the streaming platform. Tracks without details get no song. */
async function readTracks({ streaming, log }: MeasurementDeps, trackIds: readonly string[]): Promise<PlatformTrack[]> {
  const deadline = Date.now() + platformTimeoutMs
  const tracks: PlatformTrack[] = []
  for (const ids of splitBatches(trackIds, maxConcurrentTracks))
    tracks.push(...((await callPlatform({ log }, deadline, (call) => streaming.getTracks(ids, call))) ?? []))
  return tracks
}
