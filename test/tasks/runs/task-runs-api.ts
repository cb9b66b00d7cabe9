import { ScheduleOverlapPolicy, type Client } from '@temporalio/client'
import { connectClient, engineAddress } from '../../../engine/connect.ts'
import { fireId, fireTaskType } from '../../../workflows/tasks/messages.ts'
import { createPersonalApi, type WireRun } from '../../sandboxes/personal/personal-api.ts'
import { eventually, type TestAccount, type World, type WorldOptions } from '../../world/world.ts'

/** Sandboxes that are ready immediately, and a plan under which a task may be due every minute. */
export const settings: NonNullable<WorldOptions['settings']> = {
  SANDBOX_PROVIDER: 'just-bash',
  PLAN_OVERRIDES: JSON.stringify({ free: { taskLimit: 1000, minGapMinutes: 1 } }),
}

/** Ten minutes in which a task of the default cron was due. Its next time is far away. */
export const pastFires = { start: new Date('2025-12-31T23:59:30Z'), end: new Date('2026-01-01T00:09:30Z') }

export type TaskGiven = { prompt?: string; schedule?: string; timezone?: string; title?: string; model?: string }

const deadlineMs = 60_000

/** Requests of a user of tasks, and an operator's changes of their schedules in the engine. */
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

  const makeTask = async (account: TestAccount, given: TaskGiven = {}): Promise<string> => {
    const artist = await world.makeArtist({ rosterOf: account.id })
    const body = {
      title: 'A task',
      prompt: '@say done',
      schedule: '0-9 0 1 1 *',
      artist_account_id: artist.id,
      ...given,
    }
    const answer = await world.request<{ tasks?: { id: string }[] }>('POST', '/api/tasks', { key: account.key, body })
    const id = answer.body.tasks?.[0]?.id
    if (id === undefined) throw new Error(`no task: ${answer.status} ${answer.text}`)
    return id
  }

  /** Has the engine fire what was due in that time, as it does for times that it has missed. */
  const fire = (taskId: string, { start, end } = { start: pastFires.start, end: new Date('2026-01-01T00:00:30Z') }) =>
    withEngine(({ schedule }) =>
      schedule.getHandle(`task:${taskId}`).backfill({ start, end, overlap: ScheduleOverlapPolicy.ALLOW_ALL }),
    )

  /** Does what the schedule of the task does at that time; returns the workflow id of the fire. */
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
    /** The runs of the task, when there are so many and all have ended. */
    untilAllEnded: (account: TestAccount, taskId: string, count: number): Promise<WireRun[]> =>
      eventually(
        `the end of ${count} runs`,
        async () => {
          const listed = await listRuns(account, taskId)
          return listed.length >= count && listed.every(({ finishedAt }) => finishedAt !== null) ? listed : undefined
        },
        deadlineMs,
      ),
    chatRuns: (account: TestAccount): Promise<{ id: string; status: string; sessionId: string }[]> => world.db`
      select id, status, session_id as "sessionId" from runs where account_id = ${account.id}`,
  }
}

/** From now on the first `n` sessions of tasks with the title `fails <n>` cannot be made. */
export const failStarts = async (world: World): Promise<void> => {
  await world.db`create sequence start_faults`
  await world.db.unsafe(`
    create function fail_start() returns trigger language plpgsql security definer as $$
    declare
      -- A sequence counts on when the transaction is taken back.
      most int := substring(new.title from 'fails (\\d+)')::int;
    begin
      if most is not null and nextval('start_faults') <= most then raise exception 'a fault of the test'; end if;
      return new;
    end $$`)
  await world.db`create trigger fail_start before insert on sessions for each row execute function fail_start()`
}

/** The count of faults begins anew. */
export const resetFaults = async (world: World): Promise<void> => {
  await world.db`select setval('start_faults', 1, false)`
}
