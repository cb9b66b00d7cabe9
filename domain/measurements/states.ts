import { captureUsd } from './price.ts'

export const jobStates = ['queued', 'running', 'done', 'failed'] as const
export type JobState = (typeof jobStates)[number]

export const jobErrors = ['provider_failed', 'no_play_counts', 'timeout'] as const
export type JobError = (typeof jobErrors)[number]

const next: Record<JobState, readonly JobState[]> = {
  queued: ['running', 'failed'],
  running: ['done', 'failed'],
  done: [],
  failed: [],
}

/** True for an allowed transition. A queued job that is cancelled fails without running. */
export function mayBecome(from: JobState, to: JobState): boolean {
  return next[from].includes(to)
}

export function isEndedJob(state: JobState): boolean {
  return next[state].length === 0
}

/** Time limit of a job. */
export const jobLimitMs = 30 * 60 * 1000

/** Result of one chunk. `isPaid`: its provider run succeeded, whether or not its counts were stored. */
export type ChunkResult = {
  albumCount: number
  outcome: 'written' | 'failed' | 'open'
  measuredCount: number
  isPaid: boolean
  /** Albums of a written chunk that the provider returned nothing for. */
  unmeasuredAlbumIds: readonly string[]
}

/** Why a job ends: no chunk is left to measure, the time limit, a cancellation, or a lost workflow. */
export type CaptureStop = 'over' | 'timeout' | 'cancelled' | 'lost'

/** `error` is null for a job that was cancelled. */
export type JobEnd = { state: 'done' } | { state: 'failed'; error: JobError | null }

/**
 * How a job ends, from the result of every expected chunk. A job with at least one measurement is done, even when other
 * chunks failed.
 */
export function jobEnd(chunks: readonly ChunkResult[], stop: CaptureStop): JobEnd {
  const isComplete = chunks.every(({ outcome }) => outcome === 'written')
  if (stop === 'cancelled') return { state: 'failed', error: null }
  if (stop === 'lost') return { state: 'failed', error: 'provider_failed' }
  if (stop === 'timeout' && !isComplete) return { state: 'failed', error: 'timeout' }
  if (chunks.some(isMeasured)) return { state: 'done' }
  return { state: 'failed', error: isComplete ? 'no_play_counts' : 'provider_failed' }
}

/** Settlement of a job's hold: a debit or a release. `estimateUsd` counts against the budget of the month. */
export type JobSettlement = { debit: number; estimateUsd: string }

/**
 * A job that is done or was cancelled costs its measured albums, in proportion to the hold. A job that failed costs its
 * account nothing. Unless everything was measured, the estimate becomes the price of what the provider was paid for.
 */
export function settleJob(
  end: JobEnd,
  job: { heldCredits: number; estimateUsd: string; usdPerAlbum: string },
  chunks: readonly ChunkResult[],
): JobSettlement {
  const isCharged = end.state === 'done' || end.error === null
  const albums = sumOver(chunks, ({ albumCount }) => albumCount)
  const measured = sumOver(chunks.filter(isMeasured), (chunk) => chunk.albumCount - chunk.unmeasuredAlbumIds.length)
  if (end.state === 'done' && measured === albums) return { debit: job.heldCredits, estimateUsd: job.estimateUsd }
  const paidAlbums = sumOver(chunks, ({ isPaid, albumCount }) => (isPaid ? albumCount : 0))
  return {
    debit: isCharged && albums > 0 ? Math.floor((job.heldCredits * measured) / albums) : 0,
    estimateUsd: captureUsd(paidAlbums, job.usdPerAlbum),
  }
}

/** Whether a chunk brought anything that an account pays for. */
export function isMeasured({ outcome, measuredCount }: ChunkResult): boolean {
  return outcome === 'written' && measuredCount > 0
}

/** Of 100 albums at most 5 may be unmeasured in a snapshot that a valuation is made from. */
const maxUnmeasuredShare = 0.05

/** Whether a snapshot measured enough of its albums to value them. */
export function isValuable({ albumCount, unmeasured }: { albumCount: number; unmeasured: number }): boolean {
  return unmeasured <= albumCount * maxUnmeasuredShare
}

function sumOver(chunks: readonly ChunkResult[], count: (chunk: ChunkResult) => number): number {
  return chunks.reduce((sum, chunk) => sum + count(chunk), 0)
}
