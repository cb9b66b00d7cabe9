import { declareWorkflow } from '../messages.ts'

export type ComputeDiffInput = { sessionId: string }

/** Computes a session's diff into its row. */
export const computeDiff = declareWorkflow<ComputeDiffInput>({
  type: 'computeDiff',
  id: ({ sessionId }) => `diff:${sessionId}`,
  owner: ({ sessionId }) => ({ sessionId }),
})
