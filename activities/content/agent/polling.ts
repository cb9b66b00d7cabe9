import { ApplicationFailure, Context } from '@temporalio/activity'
import { endJob } from '../../../db/jobs/ending.ts'
import { findJob, mergeMetadata, readJob } from '../../../db/jobs/jobs.ts'
import type { Callback } from '../../../domain/content/agent/callback.ts'
import { concludeRuns, type Conclusion } from '../../../domain/content/agent/outcomes.ts'
import { isEnded } from '../../../domain/jobs/job.ts'
import { withHeartbeat } from '../../runtime/heartbeat.ts'
import type { ContentDeps } from '../deps.ts'

type RunId = { runId: string }
type Payload = { thread_id: string; run_ids: string[] }

const reportTimeoutMs = 30_000

/** Creates the activities of the run that waits for the videos of a mention and reports their outcomes. */
export function createPollActivities({ db, content, platform, log }: ContentDeps) {
  const readPayload = async (runId: string): Promise<Payload> => (await readJob(db, runId)).payload as Payload
  /** Reads the stored conclusion, or derives one from the current state of the runs. */
  const readConclusion = async (runId: string): Promise<{ conclusion: Conclusion; isStored: boolean }> => {
    const { metadata, payload } = await readJob(db, runId)
    const storedConclusion = metadata?.['concluded'] as Conclusion | undefined
    if (storedConclusion !== undefined) return { conclusion: storedConclusion, isStored: true }
    const { run_ids: ids } = payload as Payload
    const runs = await Promise.all(ids.map(async (id) => [id, await findJob(db, id)] as const))
    return { conclusion: concludeRuns(runs), isStored: false }
  }

  return {
    areRunsEnded: async ({ runId }: RunId): Promise<boolean> => {
      const { run_ids: ids } = await readPayload(runId)
      const runs = await Promise.all(ids.map((id) => findJob(db, id)))
      return runs.every((run) => run === undefined || isEnded(run.status))
    },

    /** Stores the outcomes of the runs, so that every report is the same. Safe to run again: the first conclusion is kept. */
    concludeRuns: async ({ runId }: RunId): Promise<void> => {
      const { conclusion, isStored } = await readConclusion(runId)
      if (!isStored) await mergeMetadata(db, runId, { concluded: conclusion })
    },

    /** Reports the outcomes of the runs to the callback. Safe to run again: a thread accepts one report. */
    reportRuns: ({ runId }: RunId): Promise<void> =>
      withHeartbeat(async () => {
        const { thread_id: threadId } = await readPayload(runId)
        // A terminated run has no stored conclusion.
        const body: Callback = { threadId, ...(await readConclusion(runId)).conclusion }
        const { cancellationSignal } = Context.current()
        const response = await fetch(`${platform.apiUrl}/api/content-agent/callback`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-callback-secret': content.callbackSecret ?? '' },
          body: JSON.stringify(body),
          signal: AbortSignal.any([cancellationSignal, AbortSignal.timeout(reportTimeoutMs)]),
        })
        await response.body?.cancel()
        if (response.status === 200) return
        log.warn({ runId, status: response.status }, 'the callback rejected a report')
        throw ApplicationFailure.create({
          message: 'the callback rejected the report',
          nonRetryable: response.status < 500 && response.status !== 429,
        })
      }),

    /** Ends the polling run. Safe to run again. */
    endPoll: async ({ runId, isReported }: RunId & { isReported: boolean }): Promise<void> => {
      const { status, results } = (await readConclusion(runId)).conclusion
      const output = { status, results }
      const error = { name: 'NotReported', message: 'The outcomes of the videos could not be reported to the thread' }
      const end = isReported ? ({ status: 'COMPLETED', output } as const) : ({ status: 'FAILED', error } as const)
      await endJob(db, { id: runId, attempt: Context.current().info.attempt }, end)
    },
  }
}
