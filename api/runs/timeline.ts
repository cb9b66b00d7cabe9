import { z } from 'zod'
import { findJob } from '../../db/jobs/jobs.ts'
import { findListedRun } from '../../db/runs/list.ts'
import { readTurnRecords } from '../../db/runs/timeline.ts'
import { jobEntries } from '../../domain/jobs/timeline.ts'
import { toListedRunResponse, turnKind, type ListedRun } from '../../domain/runs/listed-run.ts'
import { maxEntries, timelineSchema } from '../../domain/runs/timeline.ts'
import { turnEntries } from '../../domain/runs/turn-timeline.ts'
import { requireAccessible } from '../access/access.ts'
import type { RouteDeps } from '../deps.ts'
import { notFound } from '../http/errors.ts'
import { route, ok, type Route } from '../http/route.ts'
import { routeDefaults } from './route-defaults.ts'

const dayMs = 24 * 60 * 60 * 1000

export function timelineRoute(deps: RouteDeps): Route {
  const { db, config } = deps
  return route({
    ...routeDefaults,
    method: 'GET',
    path: '/api/runs/{runId}/timeline',
    summary: 'Read the timeline of a run',
    description: 'Returns the steps, attempts, tool calls, waits and errors of a live or ended turn or job.',
    ownership: 'Runs of the caller or of an account that the caller may act for; any other run gives 404.',
    params: z.object({ runId: z.string().max(64) }),
    responses: { 200: timelineSchema },
    errors: ['not_found'],
    handle: async ({ caller, params }) => {
      const run = await requireAccessible(deps, caller, await findListedRun(db, params.runId), 'Run')
      const isTurn = run.kind === turnKind
      const days = isTurn ? config.TIMELINE_RETENTION_DAYS : config.JOB_RETENTION_DAYS
      const keptUntil = run.endedAt && new Date(run.endedAt.getTime() + days * dayMs)
      const now = new Date()
      const isExpired = keptUntil !== null && keptUntil <= now
      const { job, entries } = isTurn ? await readTurn(deps, run, isExpired) : await readJob(deps, run)
      return ok({
        run: toListedRunResponse(run, now),
        job,
        entries: entries.slice(0, maxEntries),
        isTruncated: entries.length > maxEntries,
        keptUntil: keptUntil?.toISOString() ?? null,
        isExpired,
      })
    },
  })
}

async function readTurn({ db }: RouteDeps, run: ListedRun, isExpired: boolean) {
  return { job: null, entries: isExpired ? [] : turnEntries(run, await readTurnRecords(db, run.id)) }
}

async function readJob({ db }: RouteDeps, run: ListedRun) {
  const [job, child] = await Promise.all([
    findJob(db, run.id),
    run.childRunId === null ? undefined : findListedRun(db, run.childRunId),
  ])
  if (job === undefined) throw notFound('Run')
  const { payload, output, metadata, version, attempts } = job
  return {
    job: { payload: payload ?? null, output: output ?? null, metadata, version },
    entries: jobEntries(run, attempts, child),
  }
}
