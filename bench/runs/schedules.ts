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

/** Each side is due so often, and half of it after the other: what is due takes the engine a minute, or two. */
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
      const created = await create(stack, bare, count)
      const listed = await list(stack, quick)
      return [...(await fire(stack, bare, { count, rounds: quick ? 1 : 3 })), created, listed]
    } finally {
      await bare.close()
    }
  },
}

/** Makes as many tasks as bare schedules, in turn. */
async function create(stack: Stack, bare: BareSchedules, count: number): Promise<Row> {
  const all = await Promise.all(Array.from({ length: owners }, () => makeOwner(stack)))
  let tasks = 0
  let schedules = 0
  const rounds = await compare({
    rounds: count / perRound,
    warmUp: 0,
    ours: () => timed(perRound, () => createTask(stack, all[tasks++ % owners] ?? all[0]!)),
    control: () => timed(perRound, () => bare.create(schedules++)),
  })
  return {
    name: 'POST /api/tasks',
    ...measureRatio(rounds),
    unit: 'x',
    aim: { atMost: 1.3 },
    how: `time of a POST, one after the other, over that of making a bare schedule on Temporal; ${count} of each, ten by ten in turn`,
    detail: `${median(rounds.ours).toFixed(1)} ms, bare ${median(rounds.control).toFixed(1)} ms`,
  }
}

async function makeOwner(stack: Stack): Promise<Owner> {
  const { db } = stack
  const { id, key } = await stack.makeAccount()
  const [artist] = await db<{ id: string }[]>`insert into accounts (kind, name) values ('artist', 'Bench') returning id`
  const artistId = artist?.id ?? ''
  await db`insert into account_artist_ids (account_id, artist_id) values (${id}, ${artistId})`
  return { id, key, artistId }
}

async function timed(count: number, work: () => Promise<void>): Promise<number> {
  const begin = performance.now()
  for (let done = 0; done < count; done++) await work()
  return (performance.now() - begin) / count
}

async function createTask({ baseUrl }: Stack, { key, artistId }: Owner): Promise<void> {
  const body = { title: 'Bench', prompt: 'Nothing', schedule: `*/${everyMinutes} * * * *`, artist_account_id: artistId }
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const answer = await fetch(`${baseUrl}/api/tasks`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (answer.status !== 200) throw new Error(`no task: ${answer.status} ${await answer.text()}`)
  await answer.body?.cancel()
}

async function list(stack: Stack, quick: boolean): Promise<Row> {
  const [many, few] = [await fill(stack, manyTasks), await fill(stack, fewTasks)]
  await stack.db`analyze tasks`
  const get = async ({ key }: Owner): Promise<void> => {
    const answer = await fetch(`${stack.baseUrl}/api/tasks?limit=100`, { headers: { 'x-api-key': key } })
    const { tasks } = (await answer.json()) as { tasks: unknown[] }
    if (tasks.length !== fewTasks) throw new Error(`${tasks.length} tasks were listed`)
  }
  const rounds = await compare({
    rounds: quick ? 5 : 21,
    warmUp: 3,
    ours: () => timed(perRound, () => get(many)),
    control: () => timed(perRound, () => get(few)),
  })
  return {
    name: 'GET /api/tasks with 10,000 tasks',
    ...measureRatio(rounds),
    unit: 'x',
    aim: { atMost: 1.5 },
    how: `the latest 100 tasks with what a task shows: of an account with ${manyTasks} over one with ${fewTasks}`,
    detail: `${median(rounds.ours).toFixed(1)} ms, with 100 ${median(rounds.control).toFixed(1)} ms`,
  }
}

async function fill(stack: Stack, count: number): Promise<Owner> {
  const owner = await makeOwner(stack)
  await stack.db`
    insert into tasks (account_id, artist_account_id, title, prompt, schedule, enabled, created_at)
    select ${owner.id}, ${owner.artistId}, 'Task ' || number, 'Nothing', '0 9 * * 1', false,
      now() - make_interval(mins => number)
    from generate_series(1, ${count}::int) as number`
  return owner
}

/** Each side has half of the time, in turn. */
async function fire(stack: Stack, bare: BareSchedules, { count, rounds }: { count: number; rounds: number }) {
  const ours: number[][] = []
  const control: number[][] = []
  for (let round = 0; round < rounds; round++) {
    const minute = nextDue(0)
    await passDue(minute)
    await untilRecorded(stack.db, minute, count)
    ours.push(await measureJitter(stack.db, minute, count))
    const ofBare = nextDue(everyMinutes / 2)
    await passDue(ofBare)
    control.push(await bare.jitterOf(ofBare, count))
    stack.say(`schedules: round ${round + 1} of ${rounds}`)
  }
  const at = (share: number): Rounds => ({
    ours: ours.map((late) => quantile(late, share)),
    control: control.map((late) => quantile(late, share)),
  })
  const row = (name: string, share: number): Row => ({
    name: `jitter, ${name}`,
    ...measureRatio(at(share)),
    unit: 'x',
    aim: { atMost: 1.3 },
    how: `${count} tasks due in one minute: from the minute to the recorded run, over ${count} bare schedules of a workflow of one empty activity, from the minute to that activity; minute by minute in turn. Each task had one run for each minute, none was lost and none came twice. The owners have no credits, so no turn follows`,
    detail: `${Math.round(median(at(share).ours))} ms, bare ${Math.round(median(at(share).control))} ms`,
  })
  return [row('p50', 0.5), row('p99', 0.99)]
}

/** The next time when something is due on this side, and that has not begun. */
function nextDue(minute: number): Date {
  const next = Math.floor(Date.now() / minuteMs) + 1
  return new Date((next + ((minute - (next % everyMinutes) + everyMinutes) % everyMinutes)) * minuteMs)
}

/** Waits until nearly everything that was due then has been seen to. */
async function passDue(minute: Date): Promise<void> {
  await pause(Math.max(0, minute.getTime() + 50_000 - Date.now()))
}

async function untilRecorded(db: Pool, minute: Date, count: number): Promise<void> {
  for (const deadline = Date.now() + 5 * minuteMs; ; await pause(500)) {
    const [row] = await db<{ ended: number }[]>`
      select count(*)::int as ended from background_runs where nominal_at = ${minute} and finished_at is not null`
    if (row?.ended === count || Date.now() > deadline) return
  }
}

/** Milliseconds after the minute at which the runs of what was due then were recorded: each task once, none twice. */
async function measureJitter(db: Pool, minute: Date, count: number): Promise<number[]> {
  const rows = await db<{ taskId: string; late: number }[]>`
    select task_id as "taskId", extract(epoch from created_at - nominal_at)::float8 * 1000 as late
    from background_runs where nominal_at = ${minute}`
  if (rows.length !== count || new Set(rows.map(({ taskId }) => taskId)).size !== count)
    throw new Error(`${rows.length} runs of ${count} tasks that were due at ${minute.toISOString()}`)
  return rows.map(({ late }) => late)
}
