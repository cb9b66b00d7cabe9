import { z } from 'zod'
import { findJob, insertJob, listJobs } from '../../db/jobs/jobs.ts'
import { isEnded } from '../../domain/jobs/job.ts'
import { toJobDetailResponse, toJobResponse, jobSchema } from '../../domain/jobs/wire.ts'
import { taskRunJob } from '../../domain/tasks/runs.ts'
import { uuid, successOf } from '../../domain/fields/fields.ts'
import { newJobId } from '../../domain/fields/ids.ts'
import { pageQuery } from '../../domain/fields/pages.ts'
import { resolveAccount, requireAccessible } from '../access/access.ts'
import { acceptAndStart } from '../jobs/accept.ts'
import { cancelJob } from '../jobs/jobs.ts'
import type { StopDeps } from '../deps.ts'
import { ApiError } from '../http/errors.ts'
import { mebibytes, route, success, standardRoute, type Route } from '../http/route.ts'
import { requireTask } from './owned.ts'

const routeDefaults = {
  ...standardRoute,
  tag: { name: 'Task runs', description: 'Background runs: setups, file commits and other jobs that are polled.' },
  path: '/api/tasks/runs',
  bodyLimit: mebibytes(1),
} as const

const runId = z.string().trim().min(1)

/** Routes of background runs: all durable work except chat turns. */
export function taskRunRoutes(deps: StopDeps): Route[] {
  return [read(deps), start(deps), cancel(deps)]
}

function read(deps: StopDeps): Route {
  return route({
    ...routeDefaults,
    method: 'GET',
    summary: 'Read background runs',
    description:
      'With runId, returns this run with its payload and result; otherwise the runs of the account, newest first.',
    ownership: 'Runs of the caller or of an account that the caller may act for; any other run gives 404.',
    query: z.object({ runId: runId.optional(), account_id: uuid.optional(), ...pageQuery(100, 20) }),
    responses: { 200: successOf({ runs: z.array(jobSchema) }) },
    errors: ['forbidden', 'not_found'],
    authorize: async ({ caller, query }) => {
      if (query.runId === undefined) await resolveAccount(deps, caller, query.account_id)
    },
    handle: async ({ caller, query }) => {
      const { PRODUCTION_MODE: isProduction } = deps.config
      const runs =
        query.runId === undefined
          ? (await listJobs(deps.db, query.account_id ?? caller.accountId, query)).map((run) =>
              toJobResponse(run, isProduction),
            )
          : [
              toJobDetailResponse(
                await requireAccessible(deps, caller, await findJob(deps.db, query.runId), 'Task run'),
                isProduction,
              ),
            ]
      return success({ runs })
    },
  })
}

function start(deps: StopDeps): Route {
  return route({
    ...routeDefaults,
    method: 'POST',
    summary: 'Run a task now',
    description:
      "Starts a run even if the task is disabled. The plan's minimum interval does not apply. Returns immediately: poll " +
      'GET with the run id.',
    ownership: 'Tasks of the caller or of an account that the caller may act for.',
    rate: 'starts',
    idempotent: true,
    example: { id: '3f1c2b9a-5f0e-4c7d-9a51-0d6a3c1e7b42' },
    body: z.object({ id: uuid }),
    responses: { 202: successOf({ runId: z.string() }) },
    errors: ['forbidden', 'not_found'],
    handle: async ({ caller, body, idempotency }) => {
      const task = await requireTask(deps, caller, body.id)
      const id = newJobId()
      const response = { status: 202 as const, body: { status: 'success' as const, runId: id } }
      return acceptAndStart(deps, { caller, idempotency }, async (tx) => {
        await insertJob(tx, {
          id,
          accountId: task.accountId,
          jobKind: taskRunJob,
          cancellable: true,
          version: deps.config.BUILD_ID,
          title: task.title,
          tags: [`task:${task.id}`],
          task: { id: task.id, origin: caller.origin },
          payload: { timestamp: new Date().toISOString(), manual: true, externalId: task.id },
        })
        return { response, jobs: [{ id, jobKind: taskRunJob }] }
      })
    },
  })
}

function cancel(deps: StopDeps): Route {
  return route({
    ...routeDefaults,
    method: 'DELETE',
    summary: 'Cancel a background run',
    description: 'Returns when the run and the chat run that it waits for have ended.',
    ownership: 'Runs of the caller or of an account that the caller may act for; any other run gives 404.',
    query: z.object({ runId }),
    responses: { 200: successOf({}) },
    errors: ['not_found', 'conflict', 'timeout'],
    handle: async ({ caller, query }) => {
      const run = await requireAccessible(deps, caller, await findJob(deps.db, query.runId), 'Task run')
      if (isEnded(run.status)) throw alreadyFinished()
      if (!run.cancellable) throw new ApiError('conflict', 'This run cannot be cancelled')
      const endedRun = await cancelJob(deps, run.id)
      if (endedRun === undefined) throw new ApiError('timeout', 'Run did not stop in time', { retryAfter: 2 })
      if (endedRun.status !== 'CANCELED') throw alreadyFinished()
      return success({})
    },
  })
}

function alreadyFinished(): ApiError {
  return new ApiError('conflict', 'Run is already finished')
}
