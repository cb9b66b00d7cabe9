import { isUuid } from '../fields/ids.ts'

/** Albums of one provider run. */
const chunkAlbums = 100

/** A part of a job: `index` counts from 0. */
export type Chunk = { jobId: string; index: number }

export function chunkCount(albumCount: number): number {
  return Math.ceil(albumCount / chunkAlbums)
}

export function albumsOfChunk(albumIds: readonly string[], index: number): string[] {
  return albumIds.slice(index * chunkAlbums, (index + 1) * chunkAlbums)
}

/** Names the chunk's one run: what the provider is told, what its webhook carries, and what a lost run is found by. */
export function chunkKey({ jobId, index }: Chunk): string {
  return `capture:${jobId}:${index}`
}

/** Undefined for what names no chunk. */
export function parseChunkKey(key: string): Chunk | undefined {
  const [, jobId = '', index = ''] = /^capture:([0-9a-f-]{36}):(0|[1-9]\d{0,5})$/.exec(key) ?? []
  return isUuid(jobId) ? { jobId, index: Number(index) } : undefined
}
