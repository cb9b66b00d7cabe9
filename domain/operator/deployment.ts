import { z } from 'zod'

/** `database`: identifier of the Postgres cluster and database. It differs in a copy that was restored from a dump. */
export const deploymentMark = z.object({ id: z.string(), epoch: z.int(), database: z.string() })
export type DeploymentMark = z.infer<typeof deploymentMark>

/** Returns whether `current` may claim a task queue: no deployment holds it, or the same deployment in an older epoch. */
export function mayClaim(current: DeploymentMark, recorded: DeploymentMark | undefined): boolean {
  return recorded === undefined || (recorded.id === current.id && recorded.epoch < current.epoch)
}

/** Returns why processes on this database may not use the task queue of `recorded`; undefined if they may. */
export function explainMismatch(
  current: DeploymentMark,
  recorded: DeploymentMark,
  { namespace, taskQueue }: { namespace: string; taskQueue: string },
): string | undefined {
  const queueName = `task queue ${taskQueue} of the Temporal namespace ${namespace}`
  if (recorded.id !== current.id)
    return `The ${queueName} belongs to another deployment: set TEMPORAL_NAMESPACE or TASK_QUEUE to a different value.`
  if (recorded.epoch > current.epoch)
    return `A copy of this database has taken over the ${queueName}: set TEMPORAL_NAMESPACE or TASK_QUEUE to a different value, or use that database.`
  if (recorded.database !== current.database)
    return `This database is a copy of the one that uses the ${queueName}: set TEMPORAL_NAMESPACE or TASK_QUEUE to a different value. To replace the original instead, stop its processes and run \`npm run migrate -- --take-over\`.`
  return undefined
}
