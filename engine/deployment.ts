import type { Client } from '@temporalio/client'
import { deploymentMark, explainMismatch, mayClaim, type DeploymentMark } from '../domain/operator/deployment.ts'
import { permissionDenied, readGrpcStatus, unimplemented } from './status.ts'

/**
 * Records in the Temporal namespace which deployment uses the task queue, so that a restored copy of the database takes no
 * tasks of the original. Returns why this deployment may not use the task queue. A namespace that a client cannot
 * change, as in Temporal Cloud, records nothing.
 */
export async function claimTaskQueue(
  { connection, options: { namespace } }: Client,
  { taskQueue, answerMs }: { taskQueue: string; answerMs: number },
  own: DeploymentMark,
): Promise<string | undefined> {
  const { workflowService } = connection
  const key = `backline:${taskQueue}`
  const read = async (): Promise<DeploymentMark | undefined> => {
    const { namespaceInfo } = await connection.withDeadline(Date.now() + answerMs, () =>
      workflowService.describeNamespace({ namespace }),
    )
    const text = namespaceInfo?.data?.[key]
    return text === undefined ? undefined : deploymentMark.safeParse(JSON.parse(text)).data
  }
  let recorded = await read()
  if (mayClaim(own, recorded)) {
    try {
      await connection.withDeadline(Date.now() + answerMs, () =>
        workflowService.updateNamespace({ namespace, updateInfo: { data: { [key]: JSON.stringify(own) } } }),
      )
    } catch (error) {
      const status = readGrpcStatus(error)
      if (status === permissionDenied || status === unimplemented) return undefined
      throw error
    }
    // Of processes that claim at the same time, the last one is recorded.
    recorded = await read()
  }
  return recorded === undefined ? undefined : explainMismatch(own, recorded, { namespace, taskQueue })
}
