import { z } from 'zod'

/** `database`: identifier of the Postgres cluster and database. It differs in a copy that was restored from a dump. */
export const deploymentMark = z.object({ id: z.string(), epoch: z.int(), database: z.string() })
export type DeploymentMark = z.infer<typeof deploymentMark>

/** True if a task queue with this record passes to `own`: it is unclaimed, or the same deployment with a newer epoch. */
export function mayClaim(own: DeploymentMark, recorded: DeploymentMark | undefined): boolean {
  return recorded === undefined || (recorded.id === own.id && recorded.epoch < own.epoch)
}

/** Returns why processes on this database may not use the task queue that `recorded` holds. */
export function explainMismatch(
  own: DeploymentMark,
  recorded: DeploymentMark,
  { namespace, taskQueue }: { namespace: string; taskQueue: string },
): string | undefined {
  const place = `task queue ${taskQueue} of the Temporal namespace ${namespace}`
  if (recorded.id !== own.id)
    return `The ${place} belongs to another deployment: set TEMPORAL_NAMESPACE or TASK_QUEUE to one of your own.`
  if (recorded.epoch > own.epoch)
    return `A copy of this database has taken over the ${place}: set TEMPORAL_NAMESPACE or TASK_QUEUE to one of your own, or use that database.`
  if (recorded.database !== own.database)
    return `This database is a copy of the one that uses the ${place}: set TEMPORAL_NAMESPACE or TASK_QUEUE to one of your own, or, to replace the original, stop its processes and run \`npm run migrate -- --take-over\`.`
  return undefined
}
