import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChatApi, repeatedWords, untilFound } from '../../chat/chat-api.ts'
import { listFaults, listFrames, readTranscript, shownText, type Transcript } from '../../world/transcript.ts'
import { createWorld, type World } from '../../world/world.ts'
import { startWorkerInProcess, startWorkerProcess, type Part } from '../processes.ts'

let world: World
let chatApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { LOCAL_MODEL_WORDS_PER_SECOND: '60' } })
  chatApi = createChatApi(world)
})
afterAll(() => world.close())

/** The operation `startTurn` of an engine that cannot be reached. */
const startTurn = () => Promise.reject(new Error('unreachable'))

type StartedTurn = { runId: string; reading: Promise<Transcript> }

/** Starts a turn without a workflow and waits for its head start. */
const startWithoutEngine = async (): Promise<StartedTurn> => {
  const chat = await chatApi.openChat()
  const response = await world.withEngine({ ...world.engine, startTurn }, () => chatApi.post(chat, '@words 120'))
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  await untilFound('a head start', () => world.db`select 1 from stream_head where run_id = ${runId} and fence = 0`)
  return { runId, reading: readTranscript(response) }
}

const untilWords = (runId: string, status: 'queued' | 'running') =>
  untilFound(
    `words of a head start, ${status}`,
    () => world.db`
      select 1 from stream_head join runs on runs.id = run_id
      where run_id = ${runId} and fence = 0 and next_seq > 10 and status = ${status}`,
  )

const expectTakenOver = async ({ runId, reading }: StartedTurn, survivor: Pick<Part, 'stop'>): Promise<void> => {
  const transcript = await reading
  expect(listFaults(transcript)).toEqual([])
  expect(shownText(transcript)).toBe(repeatedWords(120))
  const retracts = listFrames(transcript).filter((frame) => frame.type === 'data-retract')
  expect(retracts.map(({ data }) => data)).toMatchObject([{ step: 0, attempt: 0, reason: 'worker_lost' }])
  expect(await world.db`select 1 from credit_ledger where reference like ${`chat:${runId}:%`}`).toHaveLength(1)
  expect(await survivor.stop()).toBe(0)
}

test('after a worker is killed in a head start that an activity has joined, the model call is repeated', async () => {
  const doomed = await startWorkerProcess(world)
  const begun = await startWithoutEngine()
  await world.engine.startTurn(begun.runId)
  await untilWords(begun.runId, 'running')
  await doomed.kill()
  await expectTakenOver(begun, await startWorkerInProcess(world))
})

test('after a worker is killed in a head start without a workflow, the first attempt repeats the model call', async () => {
  const doomed = await startWorkerProcess(world)
  const begun = await startWithoutEngine()
  await untilWords(begun.runId, 'queued')
  await doomed.kill()
  const survivor = await startWorkerInProcess(world)
  await world.engine.startTurn(begun.runId)
  await expectTakenOver(begun, survivor)
})

test('a worker that receives SIGTERM in a head start leaves the model call to another worker and exits', async () => {
  const stoppingWorker = await startWorkerProcess(world, { WORKER_GRACE_SECONDS: '1' })
  const begun = await startWithoutEngine()
  await world.engine.startTurn(begun.runId)
  await untilWords(begun.runId, 'running')
  const [code, survivor] = await Promise.all([stoppingWorker.stop(), startWorkerInProcess(world)])
  expect(code).toBe(0)
  await expectTakenOver(begun, survivor)
})
