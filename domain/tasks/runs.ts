import type { RunFault } from '../runs/jobs.ts'

/** Name of the job that is a run of a scheduled task. */
export const taskRunJob = 'scheduled-task'

/** What a run of a scheduled task has done when its chat run is accepted: its metadata, and its output in the end. */
export type TaskRunIds = { sessionId: string; chatId: string; workflowRunId: string }

/** Why a due run did nothing. */
export type Skip = 'disabled' | 'plan_limit' | 'repeated_local_time'

const firePattern = /^fire_[0-9a-f]{32}-(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z)$/

/** The time at which a fire was due, from the workflow id that the engine gave it; undefined for any other id. */
export function parseNominalTime(fireId: string): Date | undefined {
  const text = firePattern.exec(fireId)?.[1]
  if (text === undefined || Number.isNaN(Date.parse(text))) return undefined
  const time = new Date(text)
  // A day that its month does not have is read as one of the next month.
  return time.toISOString().startsWith(text.slice(0, -1)) ? time : undefined
}

/** How many fire times a payload names. */
export const upcomingFires = 5

/** Why the chat run of a task is not started, in the words of the run's `error`. */
export const startFaults = {
  failed: { name: 'StartFailed', message: 'The chat run could not be started' },
  credits: { name: 'InsufficientCredits', message: 'The account has no credits' },
  model: { name: 'ModelUnavailable', message: 'The model of the task is not offered' },
  gone: { name: 'TaskGone', message: 'The task was deleted before its run began' },
} as const satisfies Record<string, RunFault>
