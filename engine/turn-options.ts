export const turnOptions = (taskQueue: string, runId: string) => ({
  taskQueue,
  workflowId: runId,
  // What a worker that dies with a workflow task in its hands costs.
  workflowTaskTimeout: '5s' as const,
})
