import { declareWorkflow } from '../messages.ts'

export type ComputeDiffInput = { sessionId: string }

/** Computes and stores the diff of a session. */
export const computeDiff = declareWorkflow<ComputeDiffInput>({
  type: 'computeDiff',
  id: ({ sessionId }) => `diff:${sessionId}`,
  owner: ({ sessionId }) => ({ sessionId }),
})
