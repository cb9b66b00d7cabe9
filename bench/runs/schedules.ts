import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from '../../db/postgres/client.ts'
import { startBareSchedules, type BareSchedules } from '../bare/schedules.ts'
import { compare, median, quantile, measureRatio, type Bench, type Row, type Rounds } from '../measure.ts'
import type { Stack } from '../stack/stack.ts'

type Owner = { id: string; key: string; artistId: string }

const owners = 50
const minuteMs = 60_000
const manyTasks = 10_000
const fewTasks = 100

/** Interval of tasks and bare schedules, which are half an interval apart: Temporal needs up to two minutes to start all. */
const everyMinutes = 6

const perRound = 10

export const schedules: Bench = {
  name: 'schedules',
  settings: {
    PLAN_OVERRIDES: JSON.stringify({ free: { taskLimit: null, minGapMinutes: 1, allotment: 0 } }),
    REQUIRE_CREDITS: 'true',
    START_CREDITS: '0',
  },
  run: async (stack, { quick }) => {
    const bare = await startBareSchedules(stack, everyMinutes)
    try {
      const count = quick ? 100 : 1000
      const created = await measureCreation(stack, bare, count)
      const listed = await measureListing(stack, quick)
      return [...(await measureFiring(stack, bare, { count, rounds: quick ? 1 : 3 })), created, listed]
    } finally {
      await bare.close()
    }
  },
}

/** Creates tasks and bare schedules alternately, the same number of each. */
async function measureCreation(stack: Stack, bare: BareSchedules, count: number): Promise<Row> {
  const accounts = await Promise.all(Array.from({ length: owners }, () => createOwner(stack)))
  let tasks = 0
  let schedules = 0
  const rounds = await compare({
    rounds: count / perRound,
    warmUp: 0,
    ours: () => measureMeanMs(perRound, () => createTask(stack, accounts[tasks++ % owners] ?? accounts[0]!)),
    control: () => measureMeanMs(perRound, () => bare.create(schedules++)),
  })
  return {
    name: 'POST /api/tasks',
    ...measureRatio(rounds),
    unit: 'x',
    aim: { atMost: 1.3 },
    how: `time of a POST, one after the other, relative to the creation of a bare schedule in Temporal; ${count} of each, alternated in groups of ten`,
    detail: `${median(rounds.ours).toFixed(1)} ms, bare ${median(rounds.control).toFixed(1)} ms`,
  }
}

async function createOwner(stack: Stack): Promise<Owner> {
  const { db } = stack
  const { id, key } = await stack.createAccount()
  const [artist] = await db<{ id: string }[]>`insert into accounts (kind, name) values ('artist', 'Bench') returning id`
  const artistId = artist?.id ?? ''
  await db`insert into account_artist_ids (account_id, artist_id) values (${id}, ${artistId})`
  return { id, key, artistId }
}

async function measureMeanMs(count: number, work: () => Promise<void>): Promise<number> {
  const begin = performance.now()
  for (let index = 0; index < count; index++) await work()
  return (performance.now() - begin) / count
}

async function createTask({ baseUrl }: Stack, { key, artistId }: Owner): Promise<void> {
  const body = { title: 'Bench', prompt: 'Nothing', schedule: `*/${everyMinutes} * * * *`, artist_account_id: artistId }
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const response = await fetch(`${baseUrl}/api/tasks`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (response.status !== 200) throw new Error(`the task was not created: ${response.status} ${await response.text()}`)
  await response.body?.cancel()
}

async function measureListing(stack: Stack, quick: boolean): Promise<Row> {
  const [many, few] = [await createTasks(stack, manyTasks), await createTasks(stack, fewTasks)]
  await stack.db`analyze tasks`
  const get = async ({ key }: Owner): Promise<void> => {
    const response = await fetch(`${stack.baseUrl}/api/tasks?limit=100`, { headers: { 'x-api-key': key } })
    const { tasks } = (await response.json()) as { tasks: unknown[] }
    if (tasks.length !== fewTasks) throw new Error(`${tasks.length} tasks were listed`)
  }
  const rounds = await compare({
    rounds: quick ? 5 : 21,
    warmUp: 3,
    ours: () => measureMeanMs(perRound, () => get(many)),
    control: () => measureMeanMs(perRound, () => get(few)),
  })
  return {
    name: 'GET /api/tasks with 10,000 tasks',
    ...measureRatio(rounds),
    unit: 'x',
    aim: { atMost: 1.5 },
    how: `the latest 100 tasks with all fields, of an account with ${manyTasks} over one with ${fewTasks}`,
    detail: `${median(rounds.ours).toFixed(1)} ms, with 100 ${median(rounds.control).toFixed(1)} ms`,
  }
}

async function createTasks(stack: Stack, count: number): Promise<Owner> {
  const owner = await createOwner(stack)
  await stack.db`
    insert into tasks (account_id, artist_account_id, title, prompt, schedule, enabled, created_at)
    select ${owner.id}, ${owner.artistId}, 'Task ' || number, 'Nothing', '0 9 * * 1', false,
      now() - make_interval(mins => number)
    from generate_series(1, ${count}::int) as number`
  return owner
}

/** Measures both sides alternately, half an interval each. */
async function measureFiring(stack: Stack, bare: BareSchedules, { count, rounds }: { count: number; rounds: number }) {
  const ours: number[][] = []
  const control: number[][] = []
  for (let round = 0; round < rounds; round++) {
    const minute = findNextDue(0)
    await waitPastDue(minute)
    await waitUntilRecorded(stack.db, minute, count)
    ours.push(await measureJitter(stack.db, minute, count))
    const bareMinute = findNextDue(everyMinutes / 2)
    await waitPastDue(bareMinute)
    control.push(await bare.measureJitter(bareMinute, count))
    stack.say(`schedules: round ${round + 1} of ${rounds}`)
  }
  const toQuantiles = (share: number): Rounds => ({
    ours: ours.map((late) => quantile(late, share)),
    control: control.map((late) => quantile(late, share)),
  })
  const row = (name: string, share: number): Row => ({
    name: `jitter, ${name}`,
    ...measureRatio(toQuantiles(share)),
    unit: 'x',
    aim: { atMost: 1.3 },
    how: `${count} tasks due in one minute: time from the minute to the recorded run, relative to ${count} bare schedules of a workflow with one empty activity, from the minute to that activity; alternated minute by minute. Each task had exactly one run for each minute. The owners have no credits, so no turn follows`,
    detail: `${Math.round(median(toQuantiles(share).ours))} ms, bare ${Math.round(median(toQuantiles(share).control))} ms`,
  })
  return [row('p50', 0.5), row('p99', 0.99)]
}

/** Returns the next minute in the future at which schedules with this offset are due. */
function findNextDue(minute: number): Date {
  const next = Math.floor(Date.now() / minuteMs) + 1
  return new Date((next + ((minute - (next % everyMinutes) + everyMinutes) % everyMinutes)) * minuteMs)
}

/** Waits until most schedules that were due at this minute have been processed. */
async function waitPastDue(minute: Date): Promise<void> {
  await pause(Math.max(0, minute.getTime() + 50_000 - Date.now()))
}

async function waitUntilRecorded(db: Pool, minute: Date, count: number): Promise<void> {
  for (const deadline = Date.now() + 5 * minuteMs; ; await pause(500)) {
    const [row] = await db<{ ended: number }[]>`
      select count(*)::int as ended from background_runs where nominal_at = ${minute} and finished_at is not null`
    if (row?.ended === count || Date.now() > deadline) return
  }
}

/** Returns the milliseconds from the minute until each due run was recorded. Throws unless each task has exactly one run. */
async function measureJitter(db: Pool, minute: Date, count: number): Promise<number[]> {
  const rows = await db<{ taskId: string; late: number }[]>`
    select task_id as "taskId", extract(epoch from created_at - nominal_at)::float8 * 1000 as late
    from background_runs where nominal_at = ${minute}`
  if (rows.length !== count || new Set(rows.map(({ taskId }) => taskId)).size !== count)
    throw new Error(`${rows.length} runs of ${count} tasks that were due at ${minute.toISOString()}`)
  return rows.map(({ late }) => late)
}
