import type { RunError } from '../jobs/job.ts'

/** Name of the job that runs a scheduled task. */
export const taskRunJob = 'scheduled-task'

/** Ids of an accepted chat run: the metadata of the task's run, and its output once it has ended. */
export type TaskRunIds = { sessionId: string; chatId: string; workflowRunId: string }

/** Reason why a due run was skipped. */
export type Skip = 'disabled' | 'plan_limit' | 'repeated_local_time'

const firePattern = /^fire_[0-9a-f]{32}-(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z)$/

/** Parses the scheduled time of a fire from its workflow id; undefined for any other id. */
export function parseNominalTime(fireId: string): Date | undefined {
  const text = firePattern.exec(fireId)?.[1]
  if (text === undefined || Number.isNaN(Date.parse(text))) return undefined
  const time = new Date(text)
  // `Date` parses a day after the end of a month as a day of the next month.
  return time.toISOString().startsWith(text.slice(0, -1)) ? time : undefined
}

/** Number of fire times in a payload. */
export const upcomingFires = 5

/** Errors of runs whose chat run was not started. */
export const startErrors = {
  failed: { name: 'StartFailed', message: 'The chat run could not be started' },
  credits: { name: 'InsufficientCredits', message: 'The account has no credits' },
  model: { name: 'ModelUnavailable', message: 'The model of the task is not offered' },
  gone: { name: 'TaskGone', message: 'The task was deleted before its run began' },
} as const satisfies Record<string, RunError>
