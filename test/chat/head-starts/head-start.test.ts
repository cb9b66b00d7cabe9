import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { takeTurn } from '../../../db/turns/take-turn.ts'
import { openStep } from '../../../db/turns/steps/step.ts'
import type { Engine } from '../../../engine/client.ts'
import { createFakeModel, type FakeResponse, type FakeModel } from '../../world/models/fake-model.ts'
import { listFaults, listFrames, readTranscript, shownText, listTypes } from '../../world/transcript.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { createChatApi, untilFound } from '../chat-api.ts'

let model: FakeModel
let world: World
let chatApi: ReturnType<typeof createChatApi>
/** A world whose worker gives no turn a head start. */
let idleWorld: World
let idleApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  model = await createFakeModel()
  world = await createWorld({ settings: { MODEL_BASE_URL: model.url } })
  chatApi = createChatApi(world)
  idleWorld = await createWorld({ settings: { MODEL_BASE_URL: model.url, HEAD_STARTS: '0' } })
  idleApi = createChatApi(idleWorld)
})
beforeEach(() => {
  model.always({ text: 'Here it is.' })
  model.requests.length = 0
})
afterAll(async () => {
  await idleWorld.close()
  await world.close()
  await model.close()
})

const readRunId = (response: Response): string => response.headers.get('x-workflow-run-id') ?? ''

const readAttempt = async (runId: string): Promise<number | undefined> => {
  const [step] = await world.db<{ attempt: number }[]>`
    select attempt from run_steps where run_id = ${runId} and step = 0`
  return step?.attempt
}

/** Sends a turn while the engine rejects starts, and hides the run from the sweep that starts queued runs. */
const withoutEngine = async (post: () => Promise<Response>, target = world): Promise<Response> => {
  const unavailableEngine: Pick<Engine, 'startTurn'> = { startTurn: () => Promise.reject(new Error('down')) }
  const response = await target.withEngine({ ...target.engine, ...unavailableEngine }, post)
  await target.db`update runs set created_at = now() + interval '1 hour' where id = ${readRunId(response)}`
  return response
}

const untilHeadStarted = (runId: string) =>
  untilFound('a head start', () => world.db`select 1 from stream_head where run_id = ${runId} and fence = 0`)

test('a turn completes before its workflow starts, and its activity makes no model call', async () => {
  const chat = await chatApi.openChat()
  const response = await withoutEngine(() => chatApi.post(chat, 'go'))
  const runId = readRunId(response)
  const transcript = await readTranscript(response)
  expect(listFaults(transcript)).toEqual([])
  expect(shownText(transcript)).toBe('Here it is.')
  expect(await chatApi.runStatus(chat.account, runId)).toBe('completed')
  await world.engine.startTurn(runId)
  await eventually('the end of the workflow', async () =>
    (await world.engine.readState(runId)) === 'ended' ? true : undefined,
  )
  expect(model.requests).toHaveLength(1)
  expect(await readAttempt(runId)).toBe(0)
})

test('a turn executes its tools and ends while the engine is down, and no call is repeated when its workflow starts', async () => {
  const chat = await chatApi.openChat()
  const todo = { name: 'todo', arguments: { todos: [{ id: '1', content: 'Look', status: 'pending' }] } }
  for (let step = 0; step < 3; step++) model.next({ calls: [todo] })
  const response = await withoutEngine(() => chatApi.post(chat, 'go'))
  const runId = readRunId(response)
  await untilFound(
    'the end of the run',
    () => world.db`select 1 from runs where id = ${runId} and status = 'completed'`,
  )
  await world.engine.startTurn(runId)
  const transcript = await readTranscript(response)
  expect(listFaults(transcript)).toEqual([])
  expect(shownText(transcript)).toBe('Here it is.')
  const keys = model.requests.map(({ headers }) => headers['idempotency-key'])
  expect(keys.filter((key) => key?.includes(':commit:') !== true)).toEqual(
    [0, 1, 2, 3].map((step) => `${runId}:${step}:${step === 0 ? 0 : 1}`),
  )
})

test('the activity of the turn joins a model call in progress', async () => {
  const chat = await chatApi.openChat()
  model.next({ text: 'It takes a while until this is said.', wordsPerSecond: 12 })
  const response = await withoutEngine(() => chatApi.post(chat, 'go'))
  await untilHeadStarted(readRunId(response))
  await world.engine.startTurn(readRunId(response))
  const transcript = await readTranscript(response)
  expect(listFaults(transcript)).toEqual([])
  expect(listTypes(transcript)).not.toContain('data-retract')
  expect(model.requests).toHaveLength(1)
  expect(await readAttempt(readRunId(response))).toBe(0)
})

test('a stop ends a turn that only a head start has begun', async () => {
  const chat = await chatApi.openChat()
  model.next({ text: 'word '.repeat(200), wordsPerSecond: 20 })
  const response = await withoutEngine(() => chatApi.post(chat, 'go'))
  const reading = readTranscript(response)
  await untilHeadStarted(readRunId(response))
  expect(await (await chatApi.stop(chat)).json()).toEqual({ success: true, stopped: true })
  expect(listFaults(await reading)).toEqual([])
  expect(await chatApi.runStatus(chat.account, readRunId(response))).toBe('cancelled')
  await model.requests[0]?.closed
})

test('a failed model call counts as a failure of its step and is retried', async () => {
  const chat = await chatApi.openChat()
  model.next({ text: 'one two three', breakAfter: 3, breakWith: 'cut' })
  const response = await withoutEngine(() => chatApi.post(chat, 'go'))
  await untilHeadStarted(readRunId(response))
  await world.engine.startTurn(readRunId(response))
  const transcript = await readTranscript(response)
  expect(listFaults(transcript)).toEqual([])
  expect(shownText(transcript)).toBe('Here it is.')
  const retracts = listFrames(transcript).filter(({ type }) => type === 'data-retract')
  expect(retracts.map(({ data }) => data)).toMatchObject([{ step: 0, attempt: 0, reason: 'model_error' }])
  expect(model.requests).toHaveLength(2)
  const [head] = await world.db`select failures from stream_head where run_id = ${readRunId(response)}`
  expect(head).toEqual({ failures: 1 })
})

test.each([
  ['a response that is cut off', { text: 'one two three', breakAfter: 2, breakWith: 'cut' }, 1000],
  ['a 429 with Retry-After', { status: 429, headers: { 'retry-after': '2' }, body: '{}' }, 2000],
] satisfies [string, FakeResponse, number][])(
  'a model call that fails before the workflow starts is retried after the usual pause: %s',
  async (_, failure, pauseMs) => {
    const chat = await chatApi.openChat()
    model.next(failure)
    const response = await withoutEngine(() => chatApi.post(chat, 'go'))
    const runId = readRunId(response)
    await untilFound('the failure', () => world.db`select 1 from stream_head where run_id = ${runId} and failures = 1`)
    await world.engine.startTurn(runId)
    const transcript = await readTranscript(response)
    expect(listFaults(transcript)).toEqual([])
    expect(shownText(transcript)).toBe('Here it is.')
    expect(model.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([`${runId}:0:0`, `${runId}:0:2`])
    const [failed] = await world.db<{ pauseMs: number }[]>`
      select extract(epoch from step.started_at - lost.ended_at)::float8 * 1000 as pause_ms
      from run_steps step join run_attempts lost using (run_id, step) where run_id = ${runId}`
    expect(failed?.pauseMs).toBeGreaterThanOrEqual(pauseMs)
  },
)

test('a model call with a permanent error is not retried', async () => {
  const chat = await chatApi.openChat()
  model.next({ status: 400, body: '{}' })
  const response = await withoutEngine(() => chatApi.post(chat, 'go'))
  const runId = readRunId(response)
  await untilFound('the failure', () => world.db`select 1 from stream_head where run_id = ${runId} and failures > 0`)
  const reading = readTranscript(response)
  await world.engine.startTurn(runId)
  expect(listFaults(await reading)).toEqual([])
  expect(await chatApi.runStatus(chat.account, runId)).toBe('failed')
  expect(model.requests).toHaveLength(1)
})

/** Starts a turn whose first call belongs to a silent process that holds its lock, then starts its workflow. */
const startOnSilentProcess = async () => {
  const response = await withoutEngine(
    () => idleApi.openChatWithoutCommands().then((chat) => idleApi.post(chat, 'go')),
    idleWorld,
  )
  const runId = readRunId(response)
  const lock = await idleWorld.db.reserve()
  await lock`select pg_advisory_lock(4711)`
  const turnState = await takeTurn(idleWorld.db, {
    runId,
    holder: 4711,
    activityId: '1',
    claim: 'new',
    detectsDead: false,
  })
  if (turnState === 'closed' || !('batch' in turnState)) throw new Error('the turn cannot be taken')
  await openStep(idleWorld.db, {
    runId,
    ...turnState,
    step: 0,
    attempt: 0,
    position: 0,
    inputTokens: 1,
    inputPrice: undefined,
    outputPrice: undefined,
    begins: false,
    yieldsToSteering: true,
  })
  const reading = readTranscript(response)
  await idleWorld.engine.startTurn(runId)
  await eventually('an activity that waits', async () => {
    const [run] = await idleWorld.db`select 1 from runs where id = ${runId} and status = 'running'`
    return run
  })
  expect(model.requests).toHaveLength(0)
  const release = async (): Promise<void> => {
    await lock`select pg_advisory_unlock(4711)`
    lock.release()
  }
  return { reading, release }
}

test.each(['dies', 'stalls'])(
  'a turn waits for a model call of another process, and repeats it if that process %s',
  async (event) => {
    const { reading, release } = await startOnSilentProcess()
    if (event === 'dies') await release()
    const transcript = await reading
    if (event === 'stalls') await release()
    expect(listFaults(transcript)).toEqual([])
    expect(listTypes(transcript)).toContain('data-retract')
    expect(shownText(transcript)).toBe('Here it is.')
    expect(model.requests).toHaveLength(1)
  },
)

test('a worker at its limit of head starts gives a turn no head start', async () => {
  const response = await idleApi.post(await idleApi.openChatWithoutCommands(), 'go')
  expect(listFaults(await readTranscript(response))).toEqual([])
  const steps = await idleWorld.db`select attempt from run_steps where run_id = ${readRunId(response)}`
  expect(steps).toEqual([{ attempt: 1 }])
})
