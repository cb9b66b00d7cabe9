import type { JobInput } from '../messages.ts'

/** Name of the workflow that a task's schedule starts; a run that was asked for is started as a job. */
export const scheduledTaskType = 'scheduledTask'
/** A fire of a task's schedule; the engine makes its workflow id: `run_<task id without dashes>-<nominal time>`. */
export type FireTaskInput = { taskId: string }
/** A run of a scheduled task: one that was asked for, or one that was due. */
export type ScheduledTaskInput = JobInput | FireTaskInput
