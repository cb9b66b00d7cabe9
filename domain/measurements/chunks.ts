import { isUuid } from '../fields/ids.ts'

/** Albums of one provider run. */
const chunkAlbums = 100

/** A part of a job: `index` counts from 0. */
export type Chunk = { jobId: string; index: number }

export const chunkCount = (albumCount: number): number => Math.ceil(albumCount / chunkAlbums)

export const albumsOfChunk = (albumIds: readonly string[], index: number): string[] =>
  albumIds.slice(index * chunkAlbums, (index + 1) * chunkAlbums)

/** Names the chunk's one run: what the provider is told, what its webhook carries, and what a lost run is found by. */
export const chunkKey = ({ jobId, index }: Chunk): string => `capture:${jobId}:${index}`

/** Undefined for what names no chunk. */
export const parseChunkKey = (key: string): Chunk | undefined => {
  const [, jobId = '', index = ''] = /^capture:([0-9a-f-]{36}):(0|[1-9]\d{0,5})$/.exec(key) ?? []
  return isUuid(jobId) ? { jobId, index: Number(index) } : undefined
}
