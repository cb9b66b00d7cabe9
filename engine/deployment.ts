import type { Client } from '@temporalio/client'
import { deploymentMark, explainMismatch, mayClaim, type DeploymentMark } from '../domain/operator/deployment.ts'
import { permissionDenied, readGrpcStatus, unimplemented } from './status.ts'

/**
 * Records in the Temporal namespace which deployment uses the task queue, so that a deployment with a restored copy of the
 * database takes no tasks of the original. Returns why this deployment may not use the task queue; undefined if it may.
 * Nothing is recorded in a namespace that clients cannot change, as in Temporal Cloud.
 */
export async function claimTaskQueue(
  { connection, options: { namespace } }: Client,
  { taskQueue, timeoutMs }: { taskQueue: string; timeoutMs: number },
  deployment: DeploymentMark,
): Promise<string | undefined> {
  const { workflowService } = connection
  const key = `backline:${taskQueue}`
  const read = async (): Promise<DeploymentMark | undefined> => {
    const { namespaceInfo } = await connection.withDeadline(Date.now() + timeoutMs, () =>
      workflowService.describeNamespace({ namespace }),
    )
    const text = namespaceInfo?.data?.[key]
    return text === undefined ? undefined : deploymentMark.safeParse(JSON.parse(text)).data
  }
  let recorded = await read()
  if (mayClaim(deployment, recorded)) {
    try {
      await connection.withDeadline(Date.now() + timeoutMs, () =>
        workflowService.updateNamespace({ namespace, updateInfo: { data: { [key]: JSON.stringify(deployment) } } }),
      )
    } catch (error) {
      const status = readGrpcStatus(error)
      if (status === permissionDenied || status === unimplemented) return undefined
      throw error
    }
    // If several processes claim the queue concurrently, the last claim is recorded.
    recorded = await read()
  }
  return recorded === undefined ? undefined : explainMismatch(deployment, recorded, { namespace, taskQueue })
}
