import { beginJobRow, endJobRow, insertJob } from '../../db/jobs/jobs.ts'
import type { Tx } from '../../db/postgres/client.ts'
import { deleteIdleRun, findFire, findFireBefore } from '../../db/tasks/runs.ts'
import { mayFire } from '../../db/tasks/allowance.ts'
import { findTask } from '../../db/tasks/tasks.ts'
import { firesAt, isRepeatedLocalTime, nextFires } from '../../domain/tasks/cron/fires.ts'
import { parseCron, type Cron } from '../../domain/tasks/cron/parse.ts'
import { newJobId } from '../../domain/fields/ids.ts'
import { personOrigin } from '../../domain/runs/origin.ts'
import { parseNominalTime, taskRunJob, upcomingFires, type Skip } from '../../domain/tasks/runs.ts'
import { isEnabled, toScheduleId, type Task } from '../../domain/tasks/tasks.ts'
import type { TaskRunDeps } from './start.ts'

type Fire = { runId: string; task: Task; cron: Cron | undefined; nominalAt: Date }

/**
 * Records a fire of a task, once per nominal time. Returns the id of the run to start, or null if there is none. Safe to run
 * again: a fire has one run, and an ended run stays ended.
 */
export function recordFire(
  deps: TaskRunDeps,
  { fireId, taskId }: { fireId: string; taskId: string },
): Promise<string | null> {
  return deps.db.begin(async (tx) => {
    const nominalAt = parseNominalTime(fireId)
    if (nominalAt === undefined) throw new Error(`the id ${fireId} contains no time`)
    const task = await findTask(tx, taskId)
    const recordedId = await findFire(tx, taskId, nominalAt)
    const fire = task && { runId: recordedId ?? newJobId(), task, cron: parseCron(task.schedule), nominalAt }
    if (fire === undefined || !isDue(fire)) {
      if (recordedId !== undefined) await deleteIdleRun(tx, recordedId)
      return null
    }
    const { runId } = fire
    // Another fire for the same time has recorded the run and starts it.
    if (recordedId === undefined && !(await record(tx, fire, deps.taskRuns.buildId))) return null
    const skipped = await findSkipReason(tx, fire, deps)
    if (skipped === undefined) return runId
    if (await beginJobRow(tx, runId)) await endJobRow(tx, runId, { status: 'COMPLETED', output: { skipped } })
    return null
  })
}

/**
 * True if the schedule contains the time of the fire. Temporal also fires at local times that a clock change skips and, after
 * a change of the schedule, at times of the previous schedule.
 */
function isDue(fire: Fire): boolean {
  return fire.cron === undefined || isRepeatedTime(fire) || firesAt(fire.cron, fire.task.timezone, fire.nominalAt)
}

function isRepeatedTime({ task, cron, nominalAt }: Fire): boolean {
  return cron !== undefined && isRepeatedLocalTime(cron, task.timezone, nominalAt)
}

async function record(tx: Tx, { runId, task, cron, nominalAt }: Fire, version: string): Promise<boolean> {
  const { id, accountId, schedule, timezone, title } = task
  const scheduleId = toScheduleId(id)
  const timestamp = nominalAt.toISOString()
  const upcoming = cron === undefined ? [] : nextFires(cron, timezone, nominalAt, upcomingFires)
  return insertJob(tx, {
    id: runId,
    accountId,
    jobKind: taskRunJob,
    cancellable: true,
    version,
    title,
    tags: [`task:${id}`],
    task: { id, origin: personOrigin('api') },
    nominalAt,
    payload: {
      timestamp,
      lastTimestamp: (await findFireBefore(tx, id, nominalAt))?.toISOString() ?? null,
      timezone,
      scheduleId,
      externalId: id,
      upcoming: upcoming.map((time) => time.toISOString()),
    },
    schedule: { id: scheduleId, externalId: id, cron: schedule, timezone, nominalTime: timestamp },
  })
}

async function findSkipReason(tx: Tx, fire: Fire, { taskRuns }: TaskRunDeps): Promise<Skip | undefined> {
  if (!isEnabled(fire.task)) return 'disabled'
  if (!(await mayFire(tx, fire.task, taskRuns.plans))) return 'plan_limit'
  return isRepeatedTime(fire) ? 'repeated_local_time' : undefined
}
