import { z } from 'zod'

/** `database`: identifier of the Postgres cluster and database. It differs in a copy that was restored from a dump. */
export const deploymentMark = z.object({ id: z.string(), epoch: z.int(), database: z.string() })
export type DeploymentMark = z.infer<typeof deploymentMark>

/** Returns whether `own` may claim a task queue: it is unclaimed, or `own` is the same deployment with a newer epoch. */
export function mayClaim(own: DeploymentMark, recorded: DeploymentMark | undefined): boolean {
  return recorded === undefined || (recorded.id === own.id && recorded.epoch < own.epoch)
}

/** Returns why processes on this database may not use the task queue that `recorded` holds. */
export function explainMismatch(
  own: DeploymentMark,
  recorded: DeploymentMark,
  { namespace, taskQueue }: { namespace: string; taskQueue: string },
): string | undefined {
  const queueName = `task queue ${taskQueue} of the Temporal namespace ${namespace}`
  if (recorded.id !== own.id)
    return `The ${queueName} belongs to another deployment: set TEMPORAL_NAMESPACE or TASK_QUEUE to a different value.`
  if (recorded.epoch > own.epoch)
    return `A copy of this database has taken over the ${queueName}: set TEMPORAL_NAMESPACE or TASK_QUEUE to a different value, or use that database.`
  if (recorded.database !== own.database)
    return `This database is a copy of the one that uses the ${queueName}: set TEMPORAL_NAMESPACE or TASK_QUEUE to a different value. To replace the original instead, stop its processes and run \`npm run migrate -- --take-over\`.`
  return undefined
}
