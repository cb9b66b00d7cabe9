import { z } from 'zod'
import { maxBatch } from '../request.ts'

const runOutcomes = ['completed', 'failed', 'timeout'] as const
export type RunOutcome = (typeof runOutcomes)[number]

/** Id of a thread on the team chat platform: three parts joined by colons. */
const threadId = z
  .string()
  .max(500)
  .regex(/^[^:]+:[^:]+:[^:]+$/, 'must be three parts joined by colons')

const runResultSchema = z.object({
  runId: z.string().min(1).max(200),
  status: z.enum(runOutcomes),
  videoUrl: z.string().optional(),
  captionText: z.string().optional(),
  error: z.string().optional(),
})
export type RunResult = z.output<typeof runResultSchema>

/** Body of the callback that reports the end of a thread's runs. */
export const callbackSchema = z.object({
  threadId,
  status: z.enum(runOutcomes),
  results: z.array(runResultSchema).max(maxBatch).default([]),
  message: z.string().max(2000).optional(),
})
export type Callback = z.output<typeof callbackSchema>

/** Returns the outcome of several runs: the first of `completed`, `failed` and `timeout` that any of them has. */
export function overallOutcome(results: readonly Pick<RunResult, 'status'>[]): RunOutcome {
  for (const status of runOutcomes) if (results.some((result) => result.status === status)) return status
  return 'failed'
}
