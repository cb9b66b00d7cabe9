import { log, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import type { ValuationOutcome } from '../../domain/valuation/outcome.ts'
import { briefActivityOptions } from '../runtime/retries.ts'
import { startJobChild } from '../runtime/start-job-child.ts'
import type { ValueArtistInput } from './messages.ts'

const { measureReleases, claimValuedCatalog } = proxyActivities<Activities>({
  startToCloseTimeout: '90s',
  heartbeatTimeout: '8s',
  retry: { initialInterval: '500ms', maximumInterval: '5s', maximumAttempts: 10 },
})
const { readMeasurement, recordValuation, queueReport } = proxyActivities<Activities>({
  ...briefActivityOptions,
  retry: { initialInterval: '200ms', maximumInterval: '5s', maximumAttempts: 30 },
})

/** Measures the releases of an artist, stores the catalog of their songs, and estimates its value. */
export async function valueArtist(input: ValueArtistInput): Promise<ValuationOutcome> {
  const measurement = await measure(input)
  if (measurement.is === 'refused') return measurement
  const { snapshotId } = measurement
  const { catalogId } = await claimValuedCatalog({ ...input, snapshotId })
  const { workflowId, runId } = workflowInfo()
  const valuation = await recordValuation({ catalogId, snapshotId, valuationId: `${workflowId}:${runId}` })
  await runOptional('the report of a valuation', () =>
    queueReport({ catalogId, snapshotId, accountId: input.accountId }),
  )
  return { is: 'valued', ...valuation }
}

type Measurement = { snapshotId: string; jobRunId: string; job: string; albumCount: number }
type MeasurementResult = { is: 'measured'; snapshotId: string } | Extract<ValuationOutcome, { is: 'refused' }>

/** Maximum measurements of one valuation: the first, and another for the albums that the first missed. */
const maxMeasurements = 2

/**
 * Returns the snapshot to value. If a snapshot lacks too many albums, another measurement adds them. An
 * incomplete snapshot is never valued.
 */
async function measure(input: ValueArtistInput): Promise<MeasurementResult> {
  for (let count = 0; count < maxMeasurements; count++) {
    const job = await measureReleases(input)
    if (job.is === 'refused') return job
    const end = await awaitMeasurement(job)
    if (end === 'done') return { is: 'measured', snapshotId: job.snapshotId }
    if (end === 'failed') break
  }
  return { is: 'refused', why: 'measurement_failed' }
}

/**
 * Pauses between polls: short at first, two seconds while a request may wait, and then 15 seconds for 40 minutes.
 */
const pausesMs = [250, 250, 500, 500, 1000, 1000, ...Array<number>(60).fill(2000), ...Array<number>(160).fill(15_000)]

/** Polls the job, which ends within half an hour. A job that is still open after all polls is treated as failed. */
async function awaitMeasurement(measurement: Measurement): Promise<'done' | 'failed' | 'fragment'> {
  const { snapshotId, jobRunId, job, albumCount } = measurement
  for (const [attempt, pauseMs] of pausesMs.entries()) {
    const state = await readMeasurement({ snapshotId, albumCount })
    if (state !== 'queued' && state !== 'running') return state
    if (attempt === 0 && state === 'queued') await startJobChild(job, jobRunId)
    await sleep(pauseMs)
  }
  return 'failed'
}

/** Runs optional work of a valuation and ignores its failure. */
async function runOptional(name: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch {
    log.warn(`${name} failed at every attempt`)
  }
}
