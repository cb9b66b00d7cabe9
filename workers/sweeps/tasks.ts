import type { Logger } from 'pino'
import type { Pool } from '../../db/postgres/client.ts'
import { findTask, listEnabledAfter, listTasksById, recordSchedule } from '../../db/tasks/tasks.ts'
import { isEnabled, buildSchedule, type Task } from '../../domain/tasks/tasks.ts'
import type { Engine } from '../../engine/client.ts'
import type { Election } from './runtime/election.ts'
import { hashSchedule, type ListedSchedule } from '../../engine/schedules.ts'

export type ScheduleDeps = {
  db: Pool
  engine: Pick<Engine, 'followSchedule' | 'listSchedules'>
  log: Logger
  /** Aborts to end a round early. */
  signal: AbortSignal
}

const batchSize = 500
/** Maximum concurrent repairs. Temporal creates a few dozen schedules per second. */
const maxConcurrentRepairs = 8

/** Hash of a schedule, stored with it at Temporal. Undefined for a task without a schedule. */
type Mark = string | undefined

/** Makes all schedules match their task rows. Safe to run concurrently. */
export async function reconcileSchedules(deps: ScheduleDeps): Promise<void> {
  const listedIds = new Set<string>()
  const expectedMark = createExpectedMarks()
  let page: ListedSchedule[] = []
  for await (const listed of deps.engine.listSchedules()) {
    listedIds.add(listed.taskId)
    page.push(listed)
    if (deps.signal.aborted) return
    if (page.length < batchSize) continue
    await repairListed(deps, expectedMark, page)
    page = []
  }
  await repairListed(deps, expectedMark, page)
  await repairMissing(deps, expectedMark, listedIds)
}

const intervalMs = 5 * 60 * 1000

/** Reconciles immediately and then every 5 minutes, in the elected worker. */
export function startReconciler(deps: Omit<ScheduleDeps, 'signal'> & { election: Pick<Election, 'untilElected'> }): {
  close(): Promise<void>
} {
  const closing = new AbortController()
  const { signal } = closing
  let timer: NodeJS.Timeout | undefined
  const round = async (): Promise<void> => {
    await deps.election.untilElected(signal)
    try {
      if (!signal.aborted) await reconcileSchedules({ ...deps, signal })
    } catch (error) {
      deps.log.warn({ err: error }, 'failed to compare schedules with tasks; the next round retries')
    }
    if (!signal.aborted) timer = setTimeout(startRound, intervalMs)
  }
  const startRound = (): void => {
    running = round()
  }
  let running = round()
  return {
    close: async () => {
      closing.abort()
      clearTimeout(timer)
      await running
    },
  }
}

/**
 * Returns a function that computes the mark of a task's schedule; undefined for a task without a schedule. Cached, because
 * many tasks have the same times.
 */
function createExpectedMarks(): (task: Task) => Mark {
  const cache = new Map<string, Mark>()
  return (task) => {
    if (!isEnabled(task)) return undefined
    const key = `${task.schedule} ${task.timezone}`
    if (!cache.has(key)) {
      const schedule = buildSchedule(task)
      cache.set(key, schedule && hashSchedule(schedule))
    }
    return cache.get(key)
  }
}

/**
 * Repairs schedules whose task was deleted, disabled or rescheduled. Temporal's list is slightly outdated, so each
 * repair reads the schedule itself.
 */
async function repairListed(
  deps: ScheduleDeps,
  expectedMark: (task: Task) => Mark,
  listed: readonly ListedSchedule[],
): Promise<void> {
  const tasks = await listTasksById(
    deps.db,
    listed.map(({ taskId }) => taskId),
  )
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const differing = listed.filter(({ taskId, mark }) => {
    const task = byId.get(taskId)
    return task === undefined || task.scheduleId === null || expectedMark(task) !== mark
  })
  await repairAll(
    deps,
    differing.map(({ taskId }) => taskId),
  )
}

async function repairAll(deps: ScheduleDeps, taskIds: readonly string[]): Promise<void> {
  for (let offset = 0; offset < taskIds.length && !deps.signal.aborted; offset += maxConcurrentRepairs)
    await Promise.all(taskIds.slice(offset, offset + maxConcurrentRepairs).map((taskId) => repair(deps, taskId)))
}

/** Makes the schedule of a task match its row, and records in the row whether a schedule exists. */
async function repair({ db, engine, log }: ScheduleDeps, taskId: string): Promise<void> {
  try {
    await engine.followSchedule(taskId, async () => {
      const task = await findTask(db, taskId)
      return task && buildSchedule(task)
    })
    const task = await findTask(db, taskId)
    if (task !== undefined) await recordSchedule(db, task)
    log.info({ taskId }, 'made a schedule match its task')
  } catch (error) {
    log.warn({ err: error, taskId }, 'failed to make a schedule match its task; the next round retries')
  }
}

/** Repairs enabled tasks without a listed schedule. */
async function repairMissing(
  deps: ScheduleDeps,
  expectedMark: (task: Task) => Mark,
  listedIds: ReadonlySet<string>,
): Promise<void> {
  let last: string | null = null
  for (;;) {
    const tasks: Task[] = await listEnabledAfter(deps.db, last, batchSize)
    await repairAll(
      deps,
      tasks.filter((task) => !listedIds.has(task.id) && expectedMark(task) !== undefined).map(({ id }) => id),
    )
    last = tasks.at(-1)?.id ?? null
    if (tasks.length < batchSize || last === null || deps.signal.aborted) return
  }
}
