import type { RunAttempt } from './job.ts'
import type { ListedRun } from '../runs/listed-run.ts'
import { toTimelineEntry, withRetryWaits, type TimelineEntry } from '../runs/timeline.ts'
import { queueWait } from '../runs/turn-timeline.ts'

type Child = { createdAt: Date; endedAt: Date | null }

/** Returns the timeline entries of a job: its wait, its attempts, and the turn that it waits for. */
export function jobEntries(run: ListedRun, attempts: readonly RunAttempt[], child: Child | undefined): TimelineEntry[] {
  const entries = attempts.map((attempt, index) => attemptEntry(run, attempt, index + 1))
  return [
    queueWait(run),
    ...withRetryWaits(null, entries, { nextAt: null, hasEnded: run.status !== 'retrying' }),
    ...(child === undefined ? [] : [childWait(child)]),
  ]
}

const statuses: Record<RunAttempt['status'], TimelineEntry['status']> = {
  EXECUTING: 'running',
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELED: 'cancelled',
}

function attemptEntry(run: ListedRun, attempt: RunAttempt, number: number): TimelineEntry {
  const { error } = attempt
  const endedAt = attempt.completedAt === null ? run.endedAt : new Date(attempt.completedAt)
  return {
    ...toTimelineEntry({
      id: `attempt:${attempt.id}`,
      kind: 'attempt',
      name: String(number),
      status: error?.name === 'WorkerLost' ? 'lost' : statuses[attempt.status],
      startedAt: new Date(attempt.startedAt),
      endedAt,
      attempt: number,
    }),
    error: error && { name: error.name, message: error.message },
  }
}

function childWait({ createdAt, endedAt }: Child): TimelineEntry {
  const status = endedAt === null ? 'waiting' : 'completed'
  return toTimelineEntry({ id: 'wait:run', kind: 'wait', name: 'run', status, startedAt: createdAt, endedAt })
}
