import { listRunsOfTasks } from '../../db/jobs/jobs.ts'
import { listArtistNames, listFirstAddresses } from '../../db/tasks/relations.ts'
import type { Job } from '../../domain/jobs/job.ts'
import { toTaskResponse, taskPreviewLimits, type Task, type TaskRelations } from '../../domain/tasks/tasks.ts'
import type { RouteDeps } from '../deps.ts'
import { success } from '../http/route.ts'

/** Reads the latest runs, owner addresses and artist names of tasks, with one query each. Omits the data of a failed query. */
export async function readRelations(
  { db, log }: Pick<RouteDeps, 'db' | 'log'>,
  tasks: readonly Pick<Task, 'id' | 'accountId' | 'artistId'>[],
): Promise<(task: Pick<Task, 'id' | 'accountId' | 'artistId'>) => TaskRelations> {
  const readOrOmit = async <T>(part: string, work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work
    } catch (error) {
      log.warn({ err: error, part }, 'failed to read related data of tasks; it is omitted')
      return undefined
    }
  }
  const [runs = [], addresses, names] =
    tasks.length === 0
      ? []
      : await Promise.all([
          readOrOmit(
            'recent_runs',
            listRunsOfTasks(
              db,
              tasks.map(({ id }) => id),
              taskPreviewLimits.runs,
            ),
          ),
          readOrOmit('owner_email', listFirstAddresses(db, distinct(tasks.map(({ accountId }) => accountId)))),
          readOrOmit('artist_name', listArtistNames(db, distinct(tasks.map(({ artistId }) => artistId)))),
        ])
  const runsByTask = new Map<string, Job[]>()
  for (const run of runs) runsByTask.set(run.taskId, [...(runsByTask.get(run.taskId) ?? []), run])
  return ({ id, accountId, artistId }) => ({
    recentRuns: runsByTask.get(id) ?? [],
    ownerEmail: addresses?.get(accountId) ?? null,
    artistName: names?.get(artistId) ?? null,
  })
}

/** Builds the response of the routes that return a list of tasks. */
export async function respondWithTasks(deps: RouteDeps, tasks: readonly Task[]) {
  const relations = await readRelations(deps, tasks)
  const now = new Date()
  return success({
    tasks: tasks.map((task) => toTaskResponse(task, relations(task), deps.config.PRODUCTION_MODE, now)),
  })
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)]
}
