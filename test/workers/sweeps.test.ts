import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { findJob } from '../../db/jobs/jobs.ts'
import { saveReport } from '../../db/operator/reports.ts'
import { createNotifier, type Notifier } from '../../db/postgres/channels/notify.ts'
import { turnTerms } from '../../domain/chat/turn-terms.ts'
import { lifecycleTimes } from '../../domain/sandboxes/lifecycle.ts'
import type { Engine } from '../../engine/client.ts'
import { watchForLostWorkers } from '../../workers/lost/watch.ts'
import { openSweeperLock } from '../../db/postgres/deaths.ts'
import { sweeps } from '../../workers/sweeps/list.ts'
import { electSweeper } from '../../workers/sweeps/runtime/election.ts'
import { groupByLoop } from '../../workers/sweeps/runtime/loop.ts'
import { startSweeper } from '../../workers/sweeps/runtime/sweeper.ts'
import { createFakeProvider } from '../payments/fake-provider.ts'
import { createWorld, eventually, type TestAccount, type World } from '../world/world.ts'

let world: World
let owner: TestAccount
let notifier: Notifier
beforeAll(async () => {
  world = await createWorld({ worker: false })
  owner = await world.makeAccount()
  notifier = createNotifier(world.databaseUrl)
})
afterAll(async () => {
  await notifier.close()
  await world.close()
})

type Line = { level: number; msg: string; sweep?: string; rowId?: string; alert?: boolean }
let lines: Line[]
let failures: string[]
let closeFunctions: (() => Promise<void>)[]
beforeEach(() => {
  lines = []
  failures = []
  closeFunctions = []
})
afterEach(async () => {
  for (const close of closeFunctions) await close()
  await world.db`delete from background_runs`
})

const provider = createFakeProvider()

/** Starts a sweeper whose engine has these methods replaced. */
const startSweeps = (engine: Partial<Engine>, payments = provider.port): void => {
  const logStream = new Writable({
    write: (line: Buffer, _encoding, done) => {
      lines.push(JSON.parse(line.toString()) as Line)
      done()
    },
  })
  const sweeper = startSweeper({
    election: { untilElected: () => Promise.resolve() },
    db: world.db,
    engine: { ...world.engine, ...engine },
    notifier,
    sandboxes: { deleteSnapshot: async () => {} },
    blobs: { sweep: async () => 0 },
    codeHost: {},
    store: { sweep: async () => {} },
    sweepRenders: async () => 0,
    render: { cancel: async () => {} },
    payments,
    mail: {},
    log: pino(logStream),
    countFailure: (name) => failures.push(name),
    settings: {
      paymentTimeoutMs: 60_000,
      billingUrl: world.config.billingUrl,
      plans: world.config.plans,
      paymentSweepSeconds: 0,
      turns: turnTerms(world.config),
      runTimeLimitMs: 60_000,
      streamRetentionHours: 24,
      retention: {
        auditDays: 400,
        paymentEventDays: 400,
        mailLogDays: 400,
        jobDays: 400,
        timelineDays: 400,
        embeddedDays: 400,
        postDays: undefined,
      },
      blobExpiryHours: 24,
      lifecycle: lifecycleTimes(world.config),
    },
  })
  closeFunctions.unshift(() => sweeper.close())
}

/** Accepts background runs a minute ago and returns their ids in order. */
const accept = async (count: number, { job = 'known', isInEngine = false } = {}): Promise<string[]> => {
  const rows = await world.db<{ id: string }[]>`
    insert into background_runs (id, account_id, task_identifier, version, created_at, engine_started_at)
    select 'run_' || lpad((n + (select count(*) from background_runs))::text, 26, '0'), ${owner.id}, ${job}, '1',
      now() - interval '1 minute', case when ${isInEngine} then now() - interval '1 minute' end
    from generate_series(1, ${count}) as n returning id`
  return rows.map(({ id }) => id)
}

const untilStarted = (runId: string) =>
  eventually('the start', async () => (await findJob(world.db, runId))?.engineStartedAt ?? undefined, 20_000)

test('a job that this build does not know is reported, and later runs still start', async () => {
  const [unknown = ''] = await accept(1, { job: 'unknown' })
  const [knownId = ''] = await accept(1)
  startSweeps({
    start: async ({ type }) => {
      if (type === 'unknown') throw new Error('no workflow does the job unknown')
    },
  })
  await untilStarted(knownId)
  expect((await findJob(world.db, unknown))?.engineStartedAt).toBeNull()
  expect(lines.filter(({ alert }) => alert)).toMatchObject([
    {
      level: 50,
      sweep: 'start background runs',
      rowId: unknown,
      msg: 'a sweep failed to process a row and continued with the others',
    },
  ])
  expect(failures).toEqual(['start background runs'])
})

test('a lost run is ended even if more than a page of long runs precedes it', async () => {
  const ids = await accept(401, { isInEngine: true })
  const lostRunId = ids.at(-1) ?? ''
  startSweeps({ readState: async (id) => (id === lostRunId ? 'unknown' : 'running') })
  await eventually('the end', async () => (await findJob(world.db, lostRunId))?.finishedAt ?? undefined, 20_000)
})

test('a round ends at runs that an unreachable engine does not accept, and the next round starts after them', async () => {
  const unreachableRuns = await accept(3)
  const [last = ''] = await accept(1)
  startSweeps({
    start: async (workflow, input) => {
      if (unreachableRuns.includes(workflow.id(input)))
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    },
  })
  await untilStarted(last)
  expect(failures).toEqual([])
  expect(lines.some(({ msg }) => msg === 'a sweep ended early; the next round continues after the last row')).toBe(true)
})

test('runs start while the payment provider does not respond', async () => {
  await world.db`
    insert into payment_intents (account_id, purpose, credits, total_cents, path, payment_id, state, created_at)
    values (${owner.id}, 'topup', 1, 1, 'card', ${randomUUID()}, 'pending', now() - interval '1 hour')`
  const questions = new EventEmitter()
  const questionAsked = once(questions, 'asked')
  const answered = once(questions, 'answered')
  startSweeps(
    { start: async () => {} },
    {
      ...provider.port,
      getPayment: async () => {
        questions.emit('asked')
        await answered
        throw new Error('the test has ended')
      },
    },
  )
  closeFunctions.unshift(async () => void questions.emit('answered'))
  await questionAsked
  const [run = ''] = await accept(1)
  await untilStarted(run)
})

test('the work of a lost worker is reported even if the report of one activity fails', async () => {
  await world.db`
    insert into runs (id, account_id, session_id, chat_id, assistant_message_id, status, source, model_id)
    select 'run ' || n, ${owner.id}, gen_random_uuid(), gen_random_uuid(), 'm', 'completed', 'api', 'local/assistant'
    from generate_series(1, 3) as n`
  await world.db`
    insert into stream_head (run_id, day, holder, activity_id)
    select 'run ' || n, current_date, 424242, 'activity' from generate_series(1, 3) as n`
  const released = () => world.db<{ id: string }[]>`
    select run_id as id from stream_head where run_id like 'run %' and holder is null order by run_id`
  const reported = new Set<string>()
  const watch = watchForLostWorkers({
    db: world.db,
    engine: {
      ...world.engine,
      reportLostActivity: async (runId) => {
        if (runId === 'run 1') throw new Error('the engine refuses')
      },
    },
    lock: { processId: 1, settled: () => true },
    isElected: () => true,
    report: (_sweep, id) => reported.add(id),
    log: world.deps.log,
  })
  closeFunctions.unshift(() => watch.close())
  await eventually('the other reports', async () => ((await released()).length === 2 ? true : undefined), 10_000)
  expect((await released()).map(({ id }) => id)).toEqual(['run 2', 'run 3'])
  expect([...reported]).toEqual(['run 1'])
})

const startElection = (processId = 1) =>
  electSweeper(openSweeperLock(world.applicationUrl, processId, ['one', 'another']))

test('one of several workers is elected to sweep, and another worker is elected as soon as the first has ended', async () => {
  const never = new AbortController()
  const first = startElection()
  await first.untilElected(never.signal)
  const others = [startElection(2), startElection(3)]
  const elected: number[] = []
  others.forEach((other, index) => void other.untilElected(never.signal).then(() => elected.push(index)))
  for (const other of others) other.tryNow()
  await first.untilElected(never.signal)
  expect(elected).toEqual([])
  await first.close()
  for (const other of others) other.tryNow()
  await eventually('another elected worker', async () => (elected.length > 0 ? true : undefined), 10_000)
  expect(elected).toHaveLength(1)
  await Promise.all(others.map((other) => other.close()))
  never.abort()
})

test('an elected worker that no longer reports is replaced, but an elected worker that reports is not', async () => {
  const machineId = randomUUID()
  const figures = { memoryBytes: 1, processorShare: 0, eventLoopDelayMs: 0 }
  const build = { host: 'here', pid: 1, build: 'b', startedAt: new Date(), figures }
  await saveReport(world.db, { processId: 71, part: 'worker', machineId, ...build })
  const [silent, candidate] = [71, 72].map((processId) => openSweeperLock(world.applicationUrl, processId, ['evicted']))
  if (silent === undefined || candidate === undefined) throw new Error('no locks')
  expect([await silent.tryAcquire(), await candidate.tryAcquire()]).toEqual([true, false])
  expect(await candidate.evictSilent()).toBe(false)
  expect([await silent.tryAcquire(), await candidate.tryAcquire()]).toEqual([true, false])
  await world.db`update process_reports set reported_at = now() - interval '1 minute' where process_id = 71`
  expect(await candidate.evictSilent()).toBe(true)
  await eventually('the lock of the silent worker', async () => (await candidate.tryAcquire()) || undefined)
  expect(await silent.tryAcquire()).toBe(false)
  await Promise.all([silent.close(), candidate.close()])
  await world.db`delete from process_reports where process_id = 71`
})

const createSweep = (everywhere?: true) => ({
  name: 'a sweep',
  everySeconds: 5,
  run: async () => {},
  ...(everywhere && { everywhere }),
})

test('a sweep runs only in the elected worker, unless every machine needs the sweep', async () => {
  expect(groupByLoop([createSweep(), createSweep(true), createSweep()]).map((sweeps) => sweeps.length)).toEqual([2, 1])
  expect(sweeps.filter(({ everywhere }) => everywhere).map(({ name }) => name)).toEqual([
    'delete renders that were taken',
    'end overdue sandboxes',
    'bound the copies of repositories',
    'delete unused files',
  ])
})
