import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { announceFleetChange } from '../../../db/operator/fleet.ts'
import { saveReport } from '../../../db/operator/reports.ts'
import { openListener, type Listener } from '../../../db/postgres/channels/listener.ts'
import { workerChannel } from '../../../db/postgres/channels/names.ts'
import { parseHeadStart } from '../../../db/postgres/channels/notify.ts'
import { holdProcessLock } from '../../../db/postgres/process-lock.ts'
import type { Engine } from '../../../engine/client.ts'
import { startWorkerInProcess } from '../../crash/processes.ts'
import { createFakeModel, type FakeModel } from '../../world/models/fake-model.ts'
import { listFaults, readTranscript, shownText } from '../../world/transcript.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { createChatApi } from '../chat-api.ts'

let model: FakeModel
/** A world whose worker gives no turn a head start. */
let world: World
let chatApi: ReturnType<typeof createChatApi>
let listener: Listener
let locks: Awaited<ReturnType<typeof holdProcessLock>>[]
/** Ids of processes that hold their lock but are not workers, in ascending order. */
let fakeWorkers: number[]
beforeAll(async () => {
  model = await createFakeModel()
  model.always({ text: 'Here it is.' })
  world = await createWorld({ settings: { MODEL_BASE_URL: model.url, HEAD_STARTS: '0' } })
  chatApi = createChatApi(world)
  listener = openListener(world.applicationUrl, 'test')
  locks = await Promise.all(Array.from({ length: 3 }, () => holdProcessLock(world.applicationUrl)))
  fakeWorkers = locks.map(({ processId }) => processId).toSorted((a, b) => a - b)
})
afterAll(async () => {
  await Promise.all(locks.map((lock) => lock.close()))
  await listener.close()
  await world.close()
  await model.close()
})

let announcements: ({ worker: number } & ReturnType<typeof parseHeadStart>)[]
beforeEach(async () => {
  announcements = []
  await world.db`delete from process_reports where process_id = any(${fakeWorkers})`
})

const readRunId = (response: Response): string => response.headers.get('x-workflow-run-id') ?? ''

/** Adds a worker to the fleet that receives announcements of turns but begins none, like a stalled worker. */
const addWorker = async (processId: number, machineId = randomUUID()): Promise<void> => {
  const figures = { memoryBytes: 1, processorShare: 0, eventLoopDelayMs: 0, freeHeadStarts: 64 }
  const build = { host: 'here', pid: 1, build: 'b', startedAt: new Date() }
  await saveReport(world.db, { processId, part: 'worker', machineId, ...build, figures })
  // The worker remains in the fleet for the whole test, even on a slow machine.
  await world.db`update process_reports set reported_at = now() + interval '1 hour' where process_id = ${processId}`
  await listener.listen(workerChannel(processId), {
    onPayload: (payload) => void announcements.push({ worker: processId, ...parseHeadStart(payload) }),
  })
}

/** Waits until the API chooses among exactly these workers. */
const untilChosenAmong = async (workers: number[]): Promise<void> => {
  await announceFleetChange(world.db)
  await eventually('the fleet', async () => {
    const chosen = Array.from({ length: 100 }, () => world.deps.fleet.chooseWorker(randomUUID(), undefined) ?? 0)
    return String([...new Set(chosen)].toSorted((a, b) => a - b)) === String(workers) || undefined
  })
}

test('a turn is announced to one worker, and runs through the engine if that worker does not begin it', async () => {
  for (const processId of fakeWorkers) await addWorker(processId)
  await untilChosenAmong(fakeWorkers)
  const account = await world.makeAccount()
  const chats = await Promise.all(Array.from({ length: 6 }, () => chatApi.openChatWithoutCommands(account)))
  const runIds: string[] = []
  for (const chat of chats) {
    const response = await chatApi.post(chat, 'go')
    runIds.push(readRunId(response))
    const transcript = await readTranscript(response)
    expect(listFaults(transcript)).toEqual([])
    expect(shownText(transcript)).toBe('Here it is.')
  }
  const expected = runIds.map((runId) => ({
    worker: world.deps.fleet.chooseWorker(runId, undefined),
    word: 'due',
    runId,
    detail: account.id,
  }))
  expect(announcements).toEqual(expected)
  const attempts = await world.db`select distinct attempt from run_steps where run_id = any(${runIds})`
  expect(attempts).toEqual([{ attempt: 1 }])
})

test('the worker on the machine of the sandbox is chosen', async () => {
  const machineId = randomUUID()
  const near = fakeWorkers[1] ?? 0
  for (const processId of fakeWorkers) await addWorker(processId, processId === near ? machineId : undefined)
  await untilChosenAmong(fakeWorkers)
  const chat = await chatApi.openChatWithoutCommands()
  await world.db`
    update sessions set sandbox_state = sandbox_state || ${world.db.json({ machine: machineId })}
    where id = ${chat.sessionId}`
  for (let turn = 0; turn < 4; turn++) await chatApi.send(chat, 'go')
  expect(announcements.map(({ worker }) => worker)).toEqual([near, near, near, near])
})

test('no turn is announced to a worker that was reported dead', async () => {
  for (const processId of fakeWorkers) await addWorker(processId)
  await untilChosenAmong(fakeWorkers)
  await world.db`update process_reports set answered_at = now() where process_id = ${fakeWorkers[0] ?? 0}`
  await untilChosenAmong(fakeWorkers.slice(1))
})

test('of two workers, only the chosen worker begins a turn', async () => {
  const settings = { HEAD_STARTS: '64' }
  const others = [await startWorkerInProcess(world, settings), await startWorkerInProcess(world, settings)]
  await eventually('two workers', async () => {
    const chosen = Array.from({ length: 50 }, () => world.deps.fleet.chooseWorker(randomUUID(), undefined))
    return new Set(chosen).size === 2 || undefined
  })
  const unavailableEngine: Pick<Engine, 'startTurn'> = { startTurn: () => Promise.reject(new Error('unavailable')) }
  const account = await world.makeAccount()
  const chats = await Promise.all(Array.from({ length: 3 }, () => chatApi.openChat(account)))
  for (const chat of chats) {
    model.next({ text: 'It takes a while until this is said.', wordsPerSecond: 12 })
    const response = await world.withEngine({ ...world.engine, ...unavailableEngine }, () => chatApi.post(chat, 'go'))
    const runId = readRunId(response)
    const head = await eventually('a holder', async () => {
      const [row] = await world.db<{ holder: number; batch: number }[]>`
        select holder, batch from stream_head where run_id = ${runId} and holder is not null`
      return row
    })
    expect(head).toEqual({ holder: world.deps.fleet.chooseWorker(runId, undefined), batch: 1 })
    await world.engine.startTurn(runId)
    expect(listFaults(await readTranscript(response))).toEqual([])
  }
  await Promise.all(others.map((worker) => worker.stop()))
})
