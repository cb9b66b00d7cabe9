import { connectClient } from '../../engine/connect.ts'

/**
 * Lists the reasons for which the engine restarted activities of a workflow: the type of a reported failure, or the
 * timeout. Waits for the end of the workflow, because the engine records the start of an activity only at its end.
 */
export const listRepetitions = async (
  address: Parameters<typeof connectClient>[0],
  workflowId: string,
): Promise<string[]> => {
  const engine = await connectClient(address)
  try {
    const handle = engine.client.workflow.getHandle(workflowId)
    await handle.result().catch(() => {})
    const { events } = await handle.fetchHistory()
    return (events ?? []).flatMap(({ activityTaskStartedEventAttributes: started }) => {
      const failure = started?.lastFailure
      return failure === null || failure === undefined
        ? []
        : [failure.applicationFailureInfo?.type ?? failure.message ?? 'unknown']
    })
  } finally {
    await engine.close()
  }
}
