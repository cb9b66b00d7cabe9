import { isUuid } from '../fields/ids.ts'
import { isMeasured, type ChunkResult } from './states.ts'

/** Maximum albums of one provider run. */
const albumsPerChunk = 100

/** A part of a job: `index` counts from 0. */
export type Chunk = { jobId: string; index: number }

export function chunkCount(albumCount: number): number {
  return Math.ceil(albumCount / albumsPerChunk)
}

export function albumsOfChunk(albumIds: readonly string[], index: number): string[] {
  return albumIds.slice(index * albumsPerChunk, (index + 1) * albumsPerChunk)
}

/** Returns the key of a chunk's provider run. The provider's webhook contains it, and lost runs are found by it. */
export function chunkKey({ jobId, index }: Chunk): string {
  return `capture:${jobId}:${index}`
}

/** Parses the key of a chunk; undefined for any other text. */
export function parseChunkKey(key: string): Chunk | undefined {
  const [, jobId = '', index = ''] = /^capture:([0-9a-f-]{36}):(0|[1-9]\d{0,5})$/.exec(key) ?? []
  return isUuid(jobId) ? { jobId, index: Number(index) } : undefined
}

/** Returns the results of all expected chunks in order. A chunk without a row was never measured and is returned as failed. */
export function expectedChunks(
  albumIds: readonly string[],
  rows: readonly (ChunkResult & { chunk: number })[],
): ChunkResult[] {
  const rowsByChunk = new Map(rows.map((row) => [row.chunk, row]))
  return Array.from({ length: chunkCount(albumIds.length) }, (_, chunk) => {
    const albumCount = albumsOfChunk(albumIds, chunk).length
    const missing = { albumCount, outcome: 'failed', measuredCount: 0, isPaid: false, unmeasuredAlbumIds: [] } as const
    return rowsByChunk.get(chunk) ?? missing
  })
}

/** Returns the albums that have no result, in the order of the job. `chunks` is the result of `expectedChunks`. */
export function unmeasuredAlbums(albumIds: readonly string[], chunks: readonly ChunkResult[]): string[] {
  return chunks.flatMap((chunk, index) =>
    isMeasured(chunk) ? chunk.unmeasuredAlbumIds : albumsOfChunk(albumIds, index),
  )
}
