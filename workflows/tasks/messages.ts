import type { JobInput } from '../messages.ts'

/** Name of the workflow that a task's schedule starts. */
export const fireTaskType = 'fireTask'
/** A fire of a task's schedule. Temporal appends the nominal time to the workflow id of the schedule's action. */
export type FireTaskInput = { taskId: string }
/** A run of a scheduled task, requested or due. */
export type ScheduledTaskInput = JobInput

/** Returns the workflow id of the action of a task's schedule. */
export function fireId(taskId: string): string {
  return `fire_${taskId.replaceAll('-', '')}`
}
