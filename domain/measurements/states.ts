import { captureUsd } from './price.ts'

export const jobStates = ['queued', 'running', 'done', 'failed'] as const
export type JobState = (typeof jobStates)[number]

export const jobErrors = ['provider_failed', 'no_play_counts', 'timeout'] as const
export type JobError = (typeof jobErrors)[number]

const transitions: Record<JobState, readonly JobState[]> = {
  queued: ['running', 'failed'],
  running: ['done', 'failed'],
  done: [],
  failed: [],
}

/** Returns whether a transition is allowed. A cancelled job fails, even before it runs. */
export function mayBecome(from: JobState, to: JobState): boolean {
  return transitions[from].includes(to)
}

export function isEndedJob(state: JobState): boolean {
  return transitions[state].length === 0
}

/** Time limit of a job. */
export const jobTimeoutMs = 30 * 60 * 1000

/** Result of one chunk. `isPaid`: its provider run succeeded, whether or not its counts were stored. */
export type ChunkResult = {
  albumCount: number
  outcome: 'written' | 'failed' | 'open'
  measuredCount: number
  isPaid: boolean
  /** Albums of a written chunk for which the provider returned nothing. */
  unmeasuredAlbumIds: readonly string[]
}

/** Reason why a job ends. `over`: all chunks have ended. `lost`: its workflow was lost. */
export type CaptureStop = 'over' | 'timeout' | 'cancelled' | 'lost'

/** `error` is null for a job that was cancelled. */
export type JobEnd = { state: 'done' } | { state: 'failed'; error: JobError | null }

/**
 * Returns how a job ends, from the results of all expected chunks. A job with at least one measurement is done, even if
 * other chunks failed.
 */
export function jobEnd(chunks: readonly ChunkResult[], stop: CaptureStop): JobEnd {
  const isComplete = chunks.every(({ outcome }) => outcome === 'written')
  if (stop === 'cancelled') return { state: 'failed', error: null }
  if (stop === 'lost') return { state: 'failed', error: 'provider_failed' }
  if (stop === 'timeout' && !isComplete) return { state: 'failed', error: 'timeout' }
  if (chunks.some(isMeasured)) return { state: 'done' }
  return { state: 'failed', error: isComplete ? 'no_play_counts' : 'provider_failed' }
}

/** Settlement of a job's hold. A debit of 0 releases the hold. `estimateUsd` counts against the budget of the month. */
export type JobSettlement = { debit: number; estimateUsd: string }

/**
 * Settles the hold of a job. A done or cancelled job is charged for its measured albums, in proportion to the hold. A failed
 * job is free. Unless all albums were measured, the estimate becomes the price of the albums that the provider charged for.
 */
export function settleJob(
  end: JobEnd,
  job: { heldCredits: number; estimateUsd: string; usdPerAlbum: string },
  chunks: readonly ChunkResult[],
): JobSettlement {
  const isCharged = end.state === 'done' || end.error === null
  const albums = sumOver(chunks, ({ albumCount }) => albumCount)
  const countMeasured = (chunk: ChunkResult): number => chunk.albumCount - chunk.unmeasuredAlbumIds.length
  const measuredAlbums = sumOver(chunks.filter(isMeasured), countMeasured)
  if (end.state === 'done' && measuredAlbums === albums) return { debit: job.heldCredits, estimateUsd: job.estimateUsd }
  const paidAlbums = sumOver(chunks, ({ isPaid, albumCount }) => (isPaid ? albumCount : 0))
  return {
    debit: isCharged && albums > 0 ? Math.floor((job.heldCredits * measuredAlbums) / albums) : 0,
    estimateUsd: captureUsd(paidAlbums, job.usdPerAlbum),
  }
}

/** Returns whether a chunk has measurements, for which an account pays. */
export function isMeasured({ outcome, measuredCount }: ChunkResult): boolean {
  return outcome === 'written' && measuredCount > 0
}

/** Maximum share of unmeasured albums in a snapshot that is valued. */
const maxUnmeasuredShare = 0.05

/** Returns whether a snapshot has measured enough of its albums for a valuation. */
export function isValuable({ albumCount, unmeasured }: { albumCount: number; unmeasured: number }): boolean {
  return unmeasured <= albumCount * maxUnmeasuredShare
}

function sumOver(chunks: readonly ChunkResult[], count: (chunk: ChunkResult) => number): number {
  return chunks.reduce((sum, chunk) => sum + count(chunk), 0)
}
