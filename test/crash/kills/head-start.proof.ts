import { afterAll, beforeAll, expect, test } from 'vitest'
import { chatApiOf, saidWords, untilFound, type OpenChat } from '../../chat/chat-api.ts'
import { faultsOf, framesOf, readTranscript, shownText, type Transcript } from '../../world/transcript.ts'
import { createWorld, type World } from '../../world/world.ts'
import { startWorkerProcess, type Part } from '../processes.ts'

let world: World
let chatApi: ReturnType<typeof chatApiOf>
beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { LOCAL_MODEL_WORDS_PER_SECOND: '60' } })
  chatApi = chatApiOf(world)
})
afterAll(() => world.close())

/** A chat whose turns have head starts: its session's skills are known from the turn before. */
const openChat = async (): Promise<OpenChat> => {
  const chat = await chatApi.openChat()
  await chatApi.send(chat, 'hello')
  return chat
}

/** An engine that cannot be reached. */
const startTurn = () => Promise.reject(new Error('away'))

/** A turn that the engine is not told of, and whose head start has begun. */
const postAlone = async (chat: OpenChat): Promise<Response> => {
  const response = await world.withEngine({ ...world.engine, startTurn }, () => chatApi.post(chat, '@words 120'))
  await untilFound(
    'a head start',
    () => world.db`select 1 from stream_head where run_id = ${runIdOf(response)} and fence = 0`,
  )
  return response
}

const runIdOf = (response: Response): string => response.headers.get('x-workflow-run-id') ?? ''

const expectTakenOver = async (transcript: Transcript, runId: string): Promise<void> => {
  expect(faultsOf(transcript)).toEqual([])
  expect(shownText(transcript)).toBe(saidWords(120))
  const retracts = framesOf(transcript).filter((frame) => frame.type === 'data-retract')
  expect(retracts.map(({ data }) => data)).toMatchObject([{ step: 0, attempt: 0, reason: 'worker_lost' }])
  expect(await world.db`select 1 from credit_ledger where reference like ${`chat:${runId}:%`}`).toHaveLength(1)
}

const endAll = async (workers: Part[]): Promise<void> => {
  expect(await Promise.all(workers.map((worker) => worker.stop()))).toEqual(workers.map(() => 0))
}

test('a worker killed in a head start that its activity has joined: the call is made anew', async () => {
  const doomed = await startWorkerProcess(world)
  const chat = await openChat()
  const response = await postAlone(chat)
  const runId = runIdOf(response)
  const reading = readTranscript(response)
  await world.engine.startTurn(runId)
  await untilFound(
    'a joined head start',
    () => world.db`
    select 1 from stream_head join runs on runs.id = run_id
    where run_id = ${runId} and fence = 0 and next_seq > 10 and status = 'running'`,
  )
  await doomed.kill()
  const survivor = await startWorkerProcess(world)
  await expectTakenOver(await reading, runId)
  await endAll([survivor])
})

test('a worker killed in a head start of which the engine knows nothing yet: the first attempt takes it over', async () => {
  const doomed = await startWorkerProcess(world)
  const chat = await openChat()
  const response = await postAlone(chat)
  const runId = runIdOf(response)
  const reading = readTranscript(response)
  await untilFound(
    'words of a head start',
    () => world.db`select 1 from stream_head where run_id = ${runId} and fence = 0 and next_seq > 10`,
  )
  await doomed.kill()
  const survivor = await startWorkerProcess(world)
  await world.engine.startTurn(runId)
  await expectTakenOver(await reading, runId)
  await endAll([survivor])
})

test('a worker asked to end in a head start leaves the call to another, and exits', async () => {
  const leaving = await startWorkerProcess(world, { WORKER_GRACE_SECONDS: '1' })
  const chat = await openChat()
  const response = await postAlone(chat)
  const runId = runIdOf(response)
  const reading = readTranscript(response)
  await world.engine.startTurn(runId)
  await untilFound(
    'words of a head start',
    () => world.db`select 1 from stream_head where run_id = ${runId} and fence = 0 and next_seq > 10`,
  )
  const [code, survivor] = await Promise.all([leaving.stop(), startWorkerProcess(world)])
  expect(code).toBe(0)
  await expectTakenOver(await reading, runId)
  await endAll([survivor])
})
