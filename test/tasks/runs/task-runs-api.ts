import { ScheduleOverlapPolicy, type Client } from '@temporalio/client'
import { connectClient, engineAddress } from '../../../engine/connect.ts'
import { fireId, fireTaskType } from '../../../workflows/tasks/messages.ts'
import { createPersonalApi, type WireRun } from '../../sandboxes/personal/personal-api.ts'
import { eventually, type TestAccount, type World, type WorldOptions } from '../../world/world.ts'

/** Settings with which sandboxes are ready immediately and a task may be due every minute. */
export const settings: NonNullable<WorldOptions['settings']> = {
  SANDBOX_PROVIDER: 'just-bash',
  PLAN_OVERRIDES: JSON.stringify({ free: { taskLimit: 1000, minGapMinutes: 1 } }),
}

/** Ten minutes in which a task with the default cron was due. Its next due time is far in the future. */
export const pastFires = { start: new Date('2025-12-31T23:59:30Z'), end: new Date('2026-01-01T00:09:30Z') }

export type TaskFields = { prompt?: string; schedule?: string; timezone?: string; title?: string; model?: string }

const timeoutMs = 60_000

/** Creates a client of the task-run routes that can also fire schedules in the engine. */
export const createTaskRunsApi = (world: World) => {
  const runs = createPersonalApi(world)

  const withEngine = async <T>(run: (client: Client) => Promise<T>): Promise<T> => {
    const engine = await connectClient(engineAddress(world.config, world.temporalAddress))
    try {
      return await run(engine.client)
    } finally {
      await engine.close()
    }
  }

  const makeTask = async (account: TestAccount, fields: TaskFields = {}): Promise<string> => {
    const artist = await world.makeArtist({ rosterOf: account.id })
    const body = {
      title: 'A task',
      prompt: '@say done',
      schedule: '0-9 0 1 1 *',
      artist_account_id: artist.id,
      ...fields,
    }
    const response = await world.request<{ tasks?: { id: string }[] }>('POST', '/api/tasks', { key: account.key, body })
    const id = response.body.tasks?.[0]?.id
    if (id === undefined) throw new Error(`the task was not created: ${response.status} ${response.text}`)
    return id
  }

  /** Makes the engine fire the due times of a period, as it does for missed times. */
  const fire = (taskId: string, { start, end } = { start: pastFires.start, end: new Date('2026-01-01T00:00:30Z') }) =>
    withEngine(({ schedule }) =>
      schedule.getHandle(`task:${taskId}`).backfill({ start, end, overlap: ScheduleOverlapPolicy.ALLOW_ALL }),
    )

  /** Starts the workflow that the task's schedule starts at that time, and returns its id. */
  const fireAt = async (taskId: string, time: string): Promise<string> => {
    const workflowId = `${fireId(taskId)}-${time}`
    const { taskQueue } = world
    await withEngine(({ workflow }) => workflow.start(fireTaskType, { workflowId, taskQueue, args: [{ taskId }] }))
    return workflowId
  }

  const listRuns = async (account: TestAccount, taskId: string): Promise<WireRun[]> =>
    (await runs.readRuns(account, 'limit=100')).filter(({ tags }) => tags.includes(`task:${taskId}`))

  return {
    ...runs,
    makeTask,
    fire,
    fireAt,
    listRuns,
    runNow: (account: TestAccount, taskId: unknown, headers?: Record<string, string>) =>
      world.request<{ status: string; runId: string }>('POST', '/api/tasks/runs', {
        key: account.key,
        body: { id: taskId },
        headers,
      }),
    /** Resolves to the runs of the task when there are `count` and all have ended. */
    untilAllEnded: (account: TestAccount, taskId: string, count: number): Promise<WireRun[]> =>
      eventually(
        `the end of ${count} runs`,
        async () => {
          const listed = await listRuns(account, taskId)
          return listed.length >= count && listed.every(({ finishedAt }) => finishedAt !== null) ? listed : undefined
        },
        timeoutMs,
      ),
    chatRuns: (account: TestAccount): Promise<{ id: string; status: string; sessionId: string }[]> => world.db`
      select id, status, session_id as "sessionId" from runs where account_id = ${account.id}`,
  }
}

/** Makes the creation of the first `n` sessions of tasks with the title `fails <n>` fail from now on. */
export const failStarts = async (world: World): Promise<void> => {
  await world.db`create sequence start_faults`
  await world.db.unsafe(`
    create function fail_start() returns trigger language plpgsql security definer as $$
    declare
      -- A rollback does not reset a sequence.
      most int := substring(new.title from 'fails (\\d+)')::int;
    begin
      if most is not null and nextval('start_faults') <= most then raise exception 'a fault of the test'; end if;
      return new;
    end $$`)
  await world.db`create trigger fail_start before insert on sessions for each row execute function fail_start()`
}

/** Restarts the count of faults. */
export const resetFaults = async (world: World): Promise<void> => {
  await world.db`select setval('start_faults', 1, false)`
}
