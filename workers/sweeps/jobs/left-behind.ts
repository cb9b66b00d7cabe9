import { listLeftBehind, type JobKind, type RenderJob } from '../../../db/jobs/kind.ts'
import { jobKinds } from '../../../db/jobs/list.ts'
import { findRender } from '../../../db/jobs/renders.ts'
import { endLeftBehind } from '../../../workflows/scrapers/messages.ts'
import type { SweeperDeps } from '../runtime/deps.ts'
import type { Sweep } from '../runtime/loop.ts'

/** One sweep per kind of job, so that the rows of one kind do not delay the rows of another kind. */
export const leftBehindSweeps: Sweep[] = jobKinds.map((kind) => ({
  name: `end ${kind.name} left behind`,
  everySeconds: 5,
  run: (deps) => endAll(deps, kind),
}))

type Deps = Pick<SweeperDeps, 'db' | 'engine' | 'render' | 'log' | 'eachRow'>
type LeftBehind = Awaited<ReturnType<typeof listLeftBehind>>[number]

/** Ends objects whose background run was cancelled before it reached Temporal, was lost, or was terminated. */
function endAll(deps: Deps, kind: JobKind): Promise<void> {
  const { db, engine, log, eachRow } = deps
  return eachRow(
    `end ${kind.name} left behind`,
    (page) => listLeftBehind(db, kind, page),
    async (job) => {
      const { id: runId, isCancelled } = job
      if (kind.vendor === 'renderer') await endWithRender(deps, kind, job)
      // A workflow first aborts the provider runs of the job, which would otherwise be charged.
      else await engine.start(endLeftBehind(kind.endWorkflow), { runId, isCancelled })
      log.info({ runId, job: kind.name }, 'ended a job whose background run had ended')
    },
  )
}

/**
 * Ends the object, then cancels its render in one attempt, because an unavailable renderer must not delay the refund.
 */
async function endWithRender(
  { db, render, log }: Deps,
  kind: RenderJob,
  { id: runId, isCancelled }: LeftBehind,
): Promise<void> {
  await db.begin((tx) => kind.end(tx, runId, isCancelled))
  const requestId = (await findRender(db, kind, runId))?.providerRequestId
  if (typeof requestId !== 'string') return
  await render
    .cancel(requestId)
    .catch((err: unknown) => log.error({ err, runId, alert: true }, 'failed to cancel a render; it may continue'))
}
