import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertJob } from '../../db/jobs/jobs.ts'
import { turnTerms } from '../../domain/chat/turn-terms.ts'
import { newJobId } from '../../domain/fields/ids.ts'
import type { Engine } from '../../engine/client.ts'
import type { StuckReason } from '../../engine/stuck.ts'
import { endLeftBehind, endLostJobs, endOverlongJobs } from '../../workers/sweeps/jobs/runs.ts'
import { endLeftover } from '../../workers/sweeps/chat/leftover.ts'
import { endOverlongTurns, restartStuck } from '../../workers/sweeps/chat/stuck-turns.ts'
import { restartStuckWork } from '../../workers/sweeps/stuck-work.ts'
import { createEachRow } from '../../workers/sweeps/runtime/rows.ts'
import { acceptRun } from '../world/sessions/session-rows.ts'
import { listFaults, listFrames, readTranscript } from '../world/transcript.ts'
import { createWorld, type World } from '../world/world.ts'
import { createChatApi, type OpenChat } from './chat-api.ts'

// This world has no worker, so that only the sweeps end runs.
let world: World
let chatApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  world = await createWorld({ worker: false })
  chatApi = createChatApi(world)
})
afterAll(() => world.close())

const report = (sweep: string, id: string, error: unknown): never => {
  throw new Error(`${sweep} failed at ${id}`, { cause: error })
}
const sweepDeps = (engine: Partial<Engine> = {}) => ({
  ...world.deps,
  report,
  eachRow: createEachRow({ log: world.deps.log, report, signal: new AbortController().signal }),
  settings: { turns: turnTerms(world.config), runTimeLimitMs: 60_000 },
  engine: { ...world.engine, ...engine },
})

type StartedTurn = { chat: OpenChat; runId: string; reading: ReturnType<typeof readTranscript> }
const begin = async (): Promise<StartedTurn> => {
  const chat = await chatApi.openChatWithoutCommands()
  const response = await chatApi.post(chat, '@say hello')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  await world.db`update runs set status = 'running', started_at = now() where id = ${runId}`
  return { chat, runId, reading: readTranscript(response) }
}
const passTimeLimit = (runId: string) => world.db`
  update runs set started_at = now() - interval '32 minutes' where id = ${runId}`

const expectEnded = async ({ chat, runId, reading }: StartedTurn, errorText: string): Promise<void> => {
  const transcript = await reading
  expect(listFaults(transcript)).toEqual([])
  expect(listFrames(transcript).slice(-2)).toMatchObject([{ type: 'error', errorText }, { type: 'finish' }])
  expect(await chatApi.runStatus(chat.account, runId)).toBe('failed')
  expect(await world.engine.readState(runId)).toBe('ended')
  const next = await chatApi.post(chat, '@say next')
  expect(next.status).toBe(200)
  await next.body?.cancel()
}

const listAlerts = (runId: string) => world.db`select reason from run_alerts where run_id = ${runId}`

test('a run that is still active long after its time limit is ended, and so is its workflow', async () => {
  const late = await begin()
  const young = await begin()
  await passTimeLimit(late.runId)
  await endOverlongTurns(sweepDeps())
  await expectEnded(late, 'The run exceeded its time limit')
  expect(await listAlerts(late.runId)).toEqual([])
  expect(await chatApi.runStatus(young.chat.account, young.runId)).toBe('running')
  await chatApi.stop(young.chat)
  await world.engine.terminate(young.runId)
})

test('a run that repeatedly fails to end is ended by force', async () => {
  const late = await begin()
  await passTimeLimit(late.runId)
  await world.db`update stream_head set failed_step = -2, failures = 20 where run_id = ${late.runId}`
  await endOverlongTurns(sweepDeps())
  await expectEnded(late, 'Internal error')
  expect(await listAlerts(late.runId)).toEqual([{ reason: 'forced_end' }])
})

test('a stop ends a run that never reached the engine, even with an invalid log', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const runId = await acceptRun(world.db, { ...chat, accountId: chat.account.id })
  await world.db`
    insert into stream_chunk (run_id, seq, day, body)
    select run_id, next_seq, day, 'no frame' from stream_head where run_id = ${runId}`
  await world.db`update stream_head set next_seq = next_seq + 1 where run_id = ${runId}`
  expect((await chatApi.stop(chat)).status).toBe(200)
  expect(await chatApi.runStatus(chat.account, runId)).toBe('failed')
  expect(await listAlerts(runId)).toEqual([{ reason: 'forced_end' }])
})

test.each<[StuckReason, number]>([
  ['failing', 5],
  ['foreign', 20],
])('a turn with a %s workflow is restarted %i times and then ended', async (stuckReason, times) => {
  const stuck = await begin()
  await world.db`update runs set restarts = ${times - 1} where id = ${stuck.runId}`
  const restarts: number[] = []
  const deps = sweepDeps({
    findStuckReason: async (runId) => (runId === stuck.runId ? stuckReason : undefined),
    replace: async (_, input) => void restarts.push((input as { restart?: number }).restart ?? 0),
  })
  await restartStuck(deps)
  expect(restarts).toEqual([times])
  expect(await chatApi.runStatus(stuck.chat.account, stuck.runId)).toBe('running')
  await restartStuck(deps)
  expect(restarts).toEqual([times])
  await expectEnded(stuck, 'Internal error')
})

/** Accepts a run that has ended this many seconds ago; null: it has no end time. */
const acceptEnded = async (secondsAgo: number | null): Promise<string> => {
  const chat = await chatApi.openChatWithoutCommands()
  const runId = await acceptRun(world.db, { ...chat, accountId: chat.account.id })
  await world.db`
    update runs set status = 'completed', ended_at = now() - make_interval(secs => ${secondsAgo}::float8)
    where id = ${runId}`
  return runId
}

test('the workflow of an ended run is terminated after ten seconds if it is stuck, and otherwise after a minute', async () => {
  const [live, young] = [await acceptEnded(null), await acceptEnded(5)]
  const [stuck, working, leftover] = [await acceptEnded(30), await acceptEnded(30), await acceptEnded(90)]
  const terminated: string[] = []
  const deps = sweepDeps({
    listOpen: async function* () {
      yield* [live, young, stuck, working, leftover]
    },
    findStuckReason: async (id) => (id === working ? undefined : 'foreign'),
    terminate: async (id) => void terminated.push(id),
  })
  await endLeftover(deps)
  expect(new Set(terminated)).toEqual(new Set([stuck, leftover]))
})

const beginJob = async (): Promise<string> => {
  const { id: accountId } = await world.makeAccount()
  const id = newJobId()
  await insertJob(world.db, {
    id,
    accountId,
    jobKind: 'setup-sandbox',
    cancellable: true,
    version: 'test',
    payload: {},
    concurrencyKey: id,
  })
  await world.db`
    update background_runs set status = 'EXECUTING', started_at = now(), engine_started_at = now() - interval '1 minute'
    where id = ${id}`
  return id
}
const readJob = async (id: string) => {
  const [job] = await world.db`
    select status, finished_at is not null as finished, error ->> 'name' as error from background_runs where id = ${id}`
  return job
}

test.each<[StuckReason, number]>([
  ['failing', 5],
  ['foreign', 20],
])('a job with a %s workflow is restarted %i times and then ended', async (stuckReason, times) => {
  const id = await beginJob()
  let [open, restarts] = [true, times - 1]
  const deps = sweepDeps({
    listOpen: async function* () {
      if (open) yield id
    },
    findStuckReason: async () => stuckReason,
    countRestarts: async () => restarts,
    restart: async (_, restart) => void (restarts = restart),
    terminate: async (workflowId) => void (open = workflowId !== id),
    readState: async () => (open ? 'running' : 'ended'),
  })
  await restartStuckWork(deps)
  expect({ restarts, open }).toEqual({ restarts: times, open: true })
  await endLostJobs(deps)
  expect(await readJob(id)).toMatchObject({ status: 'EXECUTING' })
  await restartStuckWork(deps)
  expect({ restarts, open }).toEqual({ restarts: times, open: false })
  await endLostJobs(deps)
  expect(await readJob(id)).toEqual({ status: 'SYSTEM_FAILURE', finished: true, error: 'RunLost' })
})

test('a job that is still active after a day is ended', async () => {
  const id = await beginJob()
  await endOverlongJobs(sweepDeps())
  expect(await readJob(id)).toMatchObject({ status: 'EXECUTING' })
  await world.db`update background_runs set started_at = now() - interval '25 hours' where id = ${id}`
  await endOverlongJobs(sweepDeps())
  expect(await readJob(id)).toEqual({ status: 'SYSTEM_FAILURE', finished: true, error: 'TimeLimit' })
})

test('a job with unreadable attempts is ended by force and does not block other jobs', async () => {
  const [broken, intact] = [await beginJob(), await beginJob()]
  await world.db`update background_runs set attempts = '{"no": "list"}' where id = ${broken}`
  await endLostJobs(sweepDeps({ readState: async () => 'ended' }))
  expect(await readJob(broken)).toEqual({ status: 'SYSTEM_FAILURE', finished: true, error: 'InternalError' })
  expect(await readJob(intact)).toEqual({ status: 'SYSTEM_FAILURE', finished: true, error: 'RunLost' })
  expect(await listAlerts(broken)).toEqual([{ reason: 'forced_end' }])
  expect(await listAlerts(intact)).toEqual([])
})

test('a job whose chat run was ended by force ends too, even with unreadable attempts', async () => {
  const [broken, intact] = [await beginJob(), await beginJob()]
  await world.db`update background_runs set attempts = '{"no": "list"}' where id = ${broken}`
  for (const job of [broken, intact]) {
    const late = await begin()
    await world.db`
      update runs set background_run_id = ${job}, started_at = now() - interval '32 minutes' where id = ${late.runId}`
    await world.db`update stream_head set failed_step = -2, failures = 20 where run_id = ${late.runId}`
    await endOverlongTurns(sweepDeps())
    await expectEnded(late, 'Internal error')
  }
  await endLeftBehind(sweepDeps())
  expect(await readJob(broken)).toEqual({ status: 'SYSTEM_FAILURE', finished: true, error: 'InternalError' })
  expect(await readJob(intact)).toEqual({ status: 'FAILED', finished: true, error: 'ChatRunFailed' })
})
