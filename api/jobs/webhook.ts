import { z } from 'zod'
import type { WaitingJob } from '../../db/jobs/kind.ts'
import type { WorkDeps } from '../deps.ts'
import { maxWebhookBytes } from '../http/body/signed.ts'
import { success } from '../http/route.ts'
import { successOf } from '../../domain/fields/fields.ts'

/** Route options of a webhook that only wakes a waiting job. The job then reads the state from the provider. */
export const wakeWebhookDefaults = {
  method: 'POST',
  auth: 'none',
  audited: 'successes',
  envelope: 'standard',
  bodyLimit: maxWebhookBytes,
  rate: 'default',
  streamedBody: 'application/json',
  responses: { 200: successOf({ ignored: z.literal(true).optional() }) },
} as const

/** Signals the workflow of the job. The response contains `ignored` if no workflow waits for the signal. */
export async function wakeJob({ engine }: WorkDeps, job: WaitingJob | undefined, signal: string) {
  const isAwaited = job !== undefined && (await engine.signal(job.runId, signal, job.part))
  return success({ ...(!isAwaited && { ignored: true as const }) })
}
