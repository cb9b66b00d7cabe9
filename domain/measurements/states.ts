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

/** A queued job fails without running when it is cancelled. */
export function mayBecome(from: JobState, to: JobState): boolean {
  return next[from].includes(to)
}

export function isEndedJob(state: JobState): boolean {
  return next[state].length === 0
}

/** A job may run for this long. */
export const jobLimitMs = 30 * 60 * 1000

/** What came of the part of a job that one provider run was for. `isPaid`: that run succeeded, whatever we did with it. */
export type ChunkResult = {
  albumCount: number
  outcome: 'written' | 'failed' | 'open'
  measuredCount: number
  isPaid: boolean
}

/** `error` is null for a job that was cancelled. */
export type JobEnd = { state: 'done' } | { state: 'failed'; error: JobError | null }

/** How a job ends. Undefined while it goes on. */
export function jobEnd(chunks: readonly ChunkResult[], isTimeOver: boolean): JobEnd | undefined {
  if (chunks.some(({ outcome }) => outcome === 'failed')) return { state: 'failed', error: 'provider_failed' }
  if (chunks.some(({ outcome }) => outcome === 'open'))
    return isTimeOver ? { state: 'failed', error: 'timeout' } : undefined
  const isMeasured = chunks.some(({ measuredCount }) => measuredCount > 0)
  return isMeasured ? { state: 'done' } : { state: 'failed', error: 'no_play_counts' }
}

/** What the hold of a job becomes: a debit, or nothing. `estimateUsd` counts against the budget of the month. */
export type JobSettlement = { debit: number; estimateUsd: string }

/** A job that is done costs what was held; one that failed costs its account nothing, and us what was paid for. */
export function settleJob(
  end: JobEnd,
  job: { heldCredits: number; estimateUsd: string; usdPerAlbum: string },
  chunks: readonly ChunkResult[],
): JobSettlement {
  if (end.state === 'done') return { debit: job.heldCredits, estimateUsd: job.estimateUsd }
  const paidAlbums = chunks.reduce((sum, { isPaid, albumCount }) => sum + (isPaid ? albumCount : 0), 0)
  return { debit: 0, estimateUsd: captureUsd(paidAlbums, job.usdPerAlbum) }
}
