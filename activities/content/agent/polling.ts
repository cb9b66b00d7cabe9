import { ApplicationFailure, Context } from '@temporalio/activity'
import { endJob } from '../../../db/jobs/ending.ts'
import { findJob, mergeMetadata, readJob } from '../../../db/jobs/jobs.ts'
import { overallOutcome, type Callback, type RunResult } from '../../../domain/content/agent/callback.ts'
import type { ContentOutput } from '../../../domain/content/runs.ts'
import { isEnded, type JobDetail } from '../../../domain/runs/jobs.ts'
import { withHeartbeat } from '../../runtime/heartbeat.ts'
import type { ContentDeps } from '../deps.ts'

type RunId = { runId: string }
type Payload = { thread_id: string; run_ids: string[] }
type Concluded = Pick<Callback, 'status' | 'results' | 'message'>

const reportMs = 30_000

/** The run that waits for the videos of a mention, and reports how they ended. */
export function createPollActivities({ db, content, platform, log }: ContentDeps) {
  const readPayload = async (runId: string): Promise<Payload> => (await readJob(db, runId)).payload as Payload
  const readConcluded = async (runId: string): Promise<Concluded | undefined> => {
    const { metadata } = await readJob(db, runId)
    return (metadata?.['concluded'] as Concluded | undefined) ?? undefined
  }

  return {
    areRunsEnded: async ({ runId }: RunId): Promise<boolean> => {
      const { run_ids: ids } = await readPayload(runId)
      const runs = await Promise.all(ids.map((id) => findJob(db, id)))
      return runs.every((run) => run === undefined || isEnded(run.status))
    },

    /** Keeps how the runs have ended, so that every report says the same. Safe to run again: the first answer stays. */
    concludeRuns: async ({ runId }: RunId): Promise<void> => {
      if ((await readConcluded(runId)) !== undefined) return
      const { run_ids: ids } = await readPayload(runId)
      const results = await Promise.all(ids.map(async (id) => resultOf(id, await findJob(db, id))))
      const status = overallOutcome(results)
      const concluded: Concluded = { status, results, ...(status === 'failed' && { message: failureOf(results) }) }
      await mergeMetadata(db, runId, { concluded })
    },

    /** Tells the callback how the runs have ended. Safe to run again: a thread takes one report. */
    reportRuns: ({ runId }: RunId): Promise<void> =>
      withHeartbeat(async () => {
        const { thread_id: threadId } = await readPayload(runId)
        const body: Callback = { threadId, status: 'failed', results: [], ...(await readConcluded(runId)) }
        const { cancellationSignal } = Context.current()
        const answer = await fetch(`${platform.apiUrl}/api/content-agent/callback`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-callback-secret': content.callbackSecret ?? '' },
          body: JSON.stringify(body),
          signal: AbortSignal.any([cancellationSignal, AbortSignal.timeout(reportMs)]),
        })
        await answer.body?.cancel()
        if (answer.status === 200) return
        log.warn({ runId, status: answer.status }, 'the callback refused a report')
        throw ApplicationFailure.create({
          message: 'not reported',
          nonRetryable: answer.status < 500 && answer.status !== 429,
        })
      }),

    /** Ends the run that waited. Safe to run again. */
    endPoll: async ({ runId, isReported }: RunId & { isReported: boolean }): Promise<void> => {
      const { status, results } = (await readConcluded(runId)) ?? {}
      const output = { status, results }
      const error = { name: 'NotReported', message: 'The end of the videos could not be reported to the thread' }
      const end = isReported ? ({ status: 'COMPLETED', output } as const) : ({ status: 'FAILED', error } as const)
      await endJob(db, { id: runId, attempt: Context.current().info.attempt }, end)
    },
  }
}

/** Why nothing was made, each reason once. */
function failureOf(results: readonly RunResult[]): string {
  const reasons = new Set(results.flatMap(({ error }) => error ?? []))
  return ['The videos could not be made.', ...reasons].join(' ').slice(0, 1000)
}

function resultOf(runId: string, run: JobDetail | undefined): RunResult {
  if (run !== undefined && !isEnded(run.status)) return { runId, status: 'timeout' }
  if (run?.status !== 'COMPLETED') return { runId, status: 'failed', error: reasonOf(run) }
  const { videoSourceUrl: videoUrl, captionText } = run.output as ContentOutput
  return { runId, status: 'completed', videoUrl, captionText }
}

function reasonOf(run: JobDetail | undefined): string {
  if (run?.status === 'CANCELED') return 'The run was cancelled.'
  return run?.error?.message ?? 'The run was lost.'
}
