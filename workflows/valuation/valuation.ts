import { ParentClosePolicy, log, proxyActivities, sleep, startChild, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import type { ValuationOutcome } from '../../domain/valuation/outcome.ts'
import { jobWorkflow } from '../messages.ts'
import { brief } from '../runtime/brief-work.ts'
import type { ValueArtistInput } from './messages.ts'

const { measureReleases, claimValuedCatalog } = proxyActivities<Activities>({
  startToCloseTimeout: '90s',
  heartbeatTimeout: '8s',
  retry: { initialInterval: '500ms', maximumInterval: '5s', maximumAttempts: 10 },
})
const { readMeasurement, recordValuation, queueReport } = proxyActivities<Activities>({
  ...brief,
  retry: { initialInterval: '200ms', maximumInterval: '5s', maximumAttempts: 30 },
})

/** A valuation: the measurement of the artist's releases, the catalog of its songs, and what that may be worth. */
export async function valueArtist(input: ValueArtistInput): Promise<ValuationOutcome> {
  const accepted = await measureReleases(input)
  if (accepted.is === 'refused') return accepted
  const { snapshotId } = accepted
  if (!(await isMeasured(accepted))) return { is: 'refused', why: 'measurement_failed' }
  const { catalogId } = await claimValuedCatalog({ ...input, snapshotId })
  const { workflowId, runId } = workflowInfo()
  const valued = await recordValuation({ catalogId, snapshotId, valuationId: `${workflowId}:${runId}` })
  await orWithout('the report of a valuation', () => queueReport({ catalogId, snapshotId, accountId: input.accountId }))
  return { is: 'valued', ...valued }
}

type Measurement = { snapshotId: string; jobRunId: string; job: string }

/** Every two seconds while somebody waits, at first more often, and then four times a minute for 40 minutes. */
const pausesMs = [250, 250, 500, 500, 1000, 1000, ...Array<number>(60).fill(2000), ...Array<number>(160).fill(15_000)]

/** Follows the job to its end. It ends by itself within half an hour; false when it failed, or cannot be followed longer. */
async function isMeasured({ snapshotId, jobRunId, job }: Measurement): Promise<boolean> {
  for (const [looks, pauseMs] of pausesMs.entries()) {
    const state = await readMeasurement({ snapshotId })
    if (state === 'done' || state === 'failed') return state === 'done'
    if (looks === 0 && state === 'queued') await ensureStarted(job, jobRunId)
    await sleep(pauseMs)
  }
  return false
}

/** The job is on its own: it goes on whatever becomes of the valuation, and several may wait for one. */
async function ensureStarted(job: string, jobRunId: string): Promise<void> {
  try {
    await startChild(jobWorkflow(job).type, {
      workflowId: jobRunId,
      args: [{ runId: jobRunId }],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
    })
  } catch (error) {
    if (!(error instanceof Error && error.name === 'WorkflowExecutionAlreadyStartedError')) throw error
  }
}

/** For what a valuation stands without. */
async function orWithout(what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch {
    log.warn(`${what} failed for good`)
  }
}
