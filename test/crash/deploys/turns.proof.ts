import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createChatApi, type OpenChat } from '../../chat/chat-api.ts'
import { listFaults, listFrames, readTranscript, shownText, type Transcript } from '../../world/transcript.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { buildWith, guarded, unguarded, withUnknownActivity } from '../cluster/builds.ts'
import { createExternalServices, type ExternalServices } from '../external-services/services.ts'
import { deriveExpectation, writePlan, type Plan } from '../external-services/plan.ts'
import { startWorkerInProcess, startWorkerProcess, type Part } from '../processes.ts'

type Build = 'current' | 'unguarded' | 'guarded' | 'withUnknownActivity'

let services: ExternalServices
let world: World
let chatApi: ReturnType<typeof createChatApi>
const bundles: Partial<Record<Build, string>> = {}

beforeAll(async () => {
  services = await createExternalServices()
  world = await createWorld({
    worker: false,
    settings: { MODEL_BASE_URL: services.modelUrl, WORKER_GRACE_SECONDS: '1' },
  })
  chatApi = createChatApi(world)
  const changes = { unguarded, guarded, withUnknownActivity }
  await Promise.all(
    Object.entries(changes).map(async ([name, change]) => (bundles[name as Build] = await buildWith(change))),
  )
})
afterAll(async () => {
  await world.close()
  await services.close()
})

type Worker = Pick<Part, 'stop'> & Partial<Part>
/** Workers of the running test that are stopped after it. */
const runningWorkers = new Set<Worker>()
const buildSettings = (build: Build): Record<string, string> => {
  const bundle = bundles[build]
  return bundle === undefined ? {} : { WORKFLOW_BUNDLE: bundle }
}
const startWorkers = async (build: Build, count = 1): Promise<Part[]> => {
  const started = await Promise.all(
    Array.from({ length: count }, () => startWorkerProcess(world, buildSettings(build))),
  )
  for (const worker of started) runningWorkers.add(worker)
  return started
}
/** Starts a worker that runs until the end of the test. */
const startLastWorker = async (build: Build): Promise<void> =>
  void runningWorkers.add(await startWorkerInProcess(world, buildSettings(build)))
const stopWorkers = async (workers: Worker[]): Promise<void> => {
  const codes = await Promise.all(workers.map((worker) => worker.stop()))
  for (const worker of workers) runningWorkers.delete(worker)
  expect(codes, workers.map(({ output }) => output?.()).join('\n')).toEqual(workers.map(() => 0))
}
afterEach(async () => {
  services.setMode('normal')
  await stopWorkers([...runningWorkers])
})

type Turn = { chat: OpenChat; plan: Plan; runId: string; reading: Promise<Transcript> }

const createPlan = (plan: Omit<Plan, 'id' | 'wordsPerSecond'>): Plan => ({
  id: randomUUID().slice(0, 8),
  wordsPerSecond: 20,
  ...plan,
})

/** A command that runs for `beforeMs` and writes one line. */
const createEffect = (beforeMs: number) => ({ tool: 'effect', token: randomUUID(), beforeMs, afterMs: 0 }) as const

/** Plans three steps: a short command, a long text with two parallel commands, and a final text. */
const planLongTurn = (): Plan =>
  createPlan({
    rounds: [
      { words: 5, calls: [createEffect(0)] },
      { words: 60, calls: [createEffect(500), createEffect(1500)] },
      { words: 8 },
    ],
  })
const planRetriedTurn = (): Plan =>
  createPlan({ rounds: [{ words: 6, faults: [{ kind: 'status', status: 429, retryAfterSeconds: 3 }] }] })
const planToolTurn = (ms = 3000): Plan =>
  createPlan({ rounds: [{ words: 3, calls: [createEffect(ms)] }, { words: 5 }] })

const begin = async (plan: Plan): Promise<Turn> => {
  const chat = await chatApi.openChat()
  const response = await chatApi.post(chat, writePlan(plan))
  expect(response.status).toBe(200)
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  return { chat, plan, runId, reading: readTranscript(response) }
}

const listRequests = ({ runId }: Turn) =>
  services.requests.filter(({ idempotencyKey }) => idempotencyKey.startsWith(runId))

const untilRequested = (turn: Turn, step: number): Promise<true> =>
  eventually(
    `step ${step}`,
    async () => listRequests(turn).some(({ idempotencyKey }) => idempotencyKey.includes(`:${step}:`)) || undefined,
    30_000,
  )

const untilCommandRuns = ({ runId }: Turn): Promise<true> =>
  eventually(
    'a command',
    async () => {
      const rows = await world.db`
        select 1 from run_tool_calls where run_id = ${runId} and started_at is not null and ended_at is null`
      return rows.length > 0 || undefined
    },
    30_000,
  )

/** Returns the lines that the commands of a chat wrote. */
const listEffects = async ({ chat }: Turn): Promise<string[]> => {
  const file = join(world.config.DATA_DIR, 'sandboxes', `session-${chat.sessionId}`, 'workspace', 'effects.txt')
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.split('\n').filter(Boolean)
}

const interrupted = { success: false, error: 'interrupted, outcome unknown' }

/** Checks that the run completed, that no completed model call was repeated, and that no command ran twice or was lost. */
const expectWhole = async (turn: Turn): Promise<void> => {
  const transcript = await turn.reading
  const { text, tokens } = deriveExpectation(turn.plan)
  expect(listFaults(transcript)).toEqual([])
  expect(await chatApi.runStatus(turn.chat.account, turn.runId)).toBe('completed')
  expect(shownText(transcript)).toBe(text)
  const ended = listRequests(turn)
    .filter(({ outcome }) => outcome === 'whole')
    .map(({ idempotencyKey }) => idempotencyKey.split(':')[1])
    // The request for the commit message is not part of a step.
    .filter((step) => step !== 'commit')
  expect(ended).toEqual(turn.plan.rounds.map((_, step) => String(step)))
  const effects = await listEffects(turn)
  expect(new Set(effects).size).toBe(effects.length)
  const reported = listFrames(transcript).filter(({ output }) => JSON.stringify(output) === JSON.stringify(interrupted))
  expect(tokens.length - effects.length).toBeLessThanOrEqual(reported.length)
  const charges = await world.db`select 1 from credit_ledger where reference like ${`chat:${turn.runId}:%`}`
  expect(charges).toHaveLength(1)
}

const readRestarts = async ({ runId }: Turn): Promise<number> => {
  const [row] = await world.db<{ restarts: number }[]>`select restarts from runs where id = ${runId}`
  return row?.restarts ?? -1
}

test.each([
  ['workflows that changed under a patch', 'guarded'],
  ['workflows that changed without a patch', 'unguarded'],
] as const)('a rolling deploy of %s neither fails nor repeats running work', async (_, build) => {
  const old = await startWorkers('current', 2)
  const turns = await Promise.all([
    begin(planLongTurn()),
    begin(planLongTurn()),
    begin(planRetriedTurn()),
    begin(planToolTurn(500)),
  ])
  await untilRequested(turns[0], 1)
  for (const worker of old) {
    await startLastWorker(build)
    // The model stalls, because a call that ends together with the grace period may be repeated.
    services.setMode('stall')
    await stopWorkers([worker])
    services.setMode('normal')
  }
  for (const turn of turns) await expectWhole(turn)
})

test('work continues when the only worker is replaced by a worker whose workflows are patched', async () => {
  const old = await startWorkers('current')
  const turns = await Promise.all([begin(planLongTurn()), begin(planRetriedTurn())])
  await untilRequested(turns[0], 1)
  services.setMode('stall')
  await stopWorkers(old)
  services.setMode('normal')
  await startLastWorker('guarded')
  for (const turn of turns) {
    await expectWhole(turn)
    expect(await readRestarts(turn)).toBe(0)
  }
})

test('work that began under a patch continues after the patch is rolled back', async () => {
  const later = await startWorkers('guarded')
  const turns = await Promise.all([begin(planLongTurn()), begin(planRetriedTurn())])
  await untilRequested(turns[0], 1)
  services.setMode('stall')
  await startLastWorker('current')
  await stopWorkers(later)
  services.setMode('normal')
  for (const turn of turns) await expectWhole(turn)
  expect(await readRestarts(turns[0])).toBeGreaterThan(0)
})

test('work that waits for an activity continues after a rollback to a build without that activity', async () => {
  const [later] = await startWorkers('withUnknownActivity')
  // The model stalls, because the head start could otherwise end the turn before its worker stops.
  services.setMode('stall')
  const turn = await begin(planRetriedTurn())
  const hasRejected = async () => later?.output().includes('prepareStep') || undefined
  await eventually('a worker that rejects the activity', hasRejected)
  await startLastWorker('current')
  await stopWorkers([...runningWorkers].slice(0, 1))
  services.setMode('normal')
  await expectWhole(turn)
  expect(await readRestarts(turn)).toBeGreaterThan(0)
})

test('workers that stop or die one after another do not use up the attempts of a model call', async () => {
  let [worker] = await startWorkers('current')
  const turn = await begin(createPlan({ rounds: [{ words: 70 }] }))
  await untilRequested(turn, 0)
  services.setMode('stall')
  for (const [lost, end] of (['stop', 'kill', 'stop', 'kill'] as const).entries()) {
    await eventually('the next attempt', async () => listRequests(turn).length > lost || undefined)
    const [next] = await startWorkers('current')
    if (worker !== undefined) runningWorkers.delete(worker)
    await worker?.[end]()
    worker = next
  }
  services.setMode('normal')
  await expectWhole(turn)
  const reasons = listFrames(await turn.reading)
    .filter(({ type }) => type === 'data-retract')
    .map(({ data }) => (data as { reason: string }).reason)
  expect(reasons.length).toBeGreaterThanOrEqual(4)
  expect(new Set(reasons)).toEqual(new Set(['worker_lost']))
})

test('work that ends within the grace period of a stopping worker is not moved to another worker', async () => {
  const oldWorker = await startWorkerProcess(world, { WORKER_GRACE_SECONDS: '60' })
  runningWorkers.add(oldWorker)
  const turn = await begin(planToolTurn(1500))
  await untilCommandRuns(turn)
  await stopWorkers([oldWorker])
  expect(await listEffects(turn)).toEqual(deriveExpectation(turn.plan).tokens)
  await startLastWorker('current')
  await expectWhole(turn)
  expect(await readRestarts(turn)).toBe(0)
  expect(JSON.stringify(listFrames(await turn.reading))).not.toContain(interrupted.error)
})

test('a command that outlasts the grace period is interrupted, not repeated, and the model is informed', async () => {
  const old = await startWorkers('current')
  const turn = await begin(planToolTurn(20_000))
  await untilCommandRuns(turn)
  await startLastWorker('current')
  await stopWorkers(old)
  await expectWhole(turn)
  const output = listFrames(await turn.reading).find(({ type }) => type === 'tool-output-available')?.['output']
  expect(output).toEqual(interrupted)
  expect(await listEffects(turn)).toEqual([])
})
