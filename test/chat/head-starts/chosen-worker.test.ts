import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { announceFleetChange } from '../../../db/operator/fleet.ts'
import { saveReport } from '../../../db/operator/reports.ts'
import { openListener, type Listener } from '../../../db/postgres/channels/listener.ts'
import { workerChannel } from '../../../db/postgres/channels/names.ts'
import { parseHeadStart } from '../../../db/postgres/channels/notify.ts'
import { holdProcessLock } from '../../../db/postgres/process-lock.ts'
import type { Engine } from '../../../engine/client.ts'
import { startWorkerHere } from '../../crash/processes.ts'
import { createFakeModel, type FakeModel } from '../../world/models/fake-model.ts'
import { listFaults, readTranscript, shownText } from '../../world/transcript.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { createChatApi } from '../chat-api.ts'

let model: FakeModel
/** Its worker begins no turn before the engine has it. */
let world: World
let chatApi: ReturnType<typeof createChatApi>
let listener: Listener
let locks: Awaited<ReturnType<typeof holdProcessLock>>[]
/** Ids of processes that live and are no workers, in ascending order. */
let fakes: number[]
beforeAll(async () => {
  model = await createFakeModel()
  model.always({ text: 'Here it is.' })
  world = await createWorld({ settings: { MODEL_BASE_URL: model.url, HEAD_STARTS: '0' } })
  chatApi = createChatApi(world)
  listener = openListener(world.applicationUrl, 'test')
  locks = await Promise.all(Array.from({ length: 3 }, () => holdProcessLock(world.applicationUrl)))
  fakes = locks.map(({ processId }) => processId).toSorted((a, b) => a - b)
})
afterAll(async () => {
  await Promise.all(locks.map((lock) => lock.close()))
  await listener.close()
  await world.close()
  await model.close()
})

let heard: ({ worker: number } & ReturnType<typeof parseHeadStart>)[]
beforeEach(async () => {
  heard = []
  await world.db`delete from process_reports where process_id = any(${fakes})`
})

const readRunId = (response: Response): string => response.headers.get('x-workflow-run-id') ?? ''

/** A member of the fleet that hears of turns and begins none, as a worker that has just stalled. */
const addWorker = async (processId: number, machineId = randomUUID()): Promise<void> => {
  const figures = { memoryBytes: 1, processorShare: 0, eventLoopDelayMs: 0, freeHeadStarts: 64 }
  const build = { host: 'here', pid: 1, build: 'b', startedAt: new Date() }
  await saveReport(world.db, { processId, part: 'worker', machineId, ...build, figures })
  // It stays a member for the whole test, however slow the machine is.
  await world.db`update process_reports set reported_at = now() + interval '1 hour' where process_id = ${processId}`
  await listener.listen(workerChannel(processId), {
    onPayload: (payload) => void heard.push({ worker: processId, ...parseHeadStart(payload) }),
  })
}

/** Resolves once the API chooses among these workers. */
const untilKnown = async (known: number[]): Promise<void> => {
  await announceFleetChange(world.db)
  await eventually('the fleet', async () => {
    const chosen = Array.from({ length: 100 }, () => world.deps.fleet.chooseWorker(randomUUID(), undefined) ?? 0)
    return String([...new Set(chosen)].toSorted((a, b) => a - b)) === String(known) || undefined
  })
}

test('a turn is announced to one of the workers, and answered through the engine if that one does not begin it', async () => {
  for (const processId of fakes) await addWorker(processId)
  await untilKnown(fakes)
  const account = await world.makeAccount()
  const chats = await Promise.all(Array.from({ length: 6 }, () => chatApi.openTalk(account)))
  const runIds: string[] = []
  for (const chat of chats) {
    const response = await chatApi.post(chat, 'go')
    runIds.push(readRunId(response))
    const transcript = await readTranscript(response)
    expect(listFaults(transcript)).toEqual([])
    expect(shownText(transcript)).toBe('Here it is.')
  }
  const due = runIds.map((runId) => ({
    worker: world.deps.fleet.chooseWorker(runId, undefined),
    word: 'due',
    runId,
    detail: account.id,
  }))
  expect(heard).toEqual(due)
  const attempts = await world.db`select distinct attempt from run_steps where run_id = any(${runIds})`
  expect(attempts).toEqual([{ attempt: 1 }])
})

test('the worker on the machine of the sandbox is chosen', async () => {
  const machineId = randomUUID()
  const near = fakes[1] ?? 0
  for (const processId of fakes) await addWorker(processId, processId === near ? machineId : undefined)
  await untilKnown(fakes)
  const chat = await chatApi.openTalk()
  await world.db`
    update sessions set sandbox_state = sandbox_state || ${world.db.json({ machine: machineId })}
    where id = ${chat.sessionId}`
  for (let turn = 0; turn < 4; turn++) await chatApi.send(chat, 'go')
  expect(heard.map(({ worker }) => worker)).toEqual([near, near, near, near])
})

test('no turn is announced to a worker whose death is known', async () => {
  for (const processId of fakes) await addWorker(processId)
  await untilKnown(fakes)
  await world.db`update process_reports set answered_at = now() where process_id = ${fakes[0] ?? 0}`
  await untilKnown(fakes.slice(1))
})

test('of two workers only the chosen one begins a turn', async () => {
  const settings = { HEAD_STARTS: '64' }
  const others = [await startWorkerHere(world, settings), await startWorkerHere(world, settings)]
  await eventually('two workers', async () => {
    const chosen = Array.from({ length: 50 }, () => world.deps.fleet.chooseWorker(randomUUID(), undefined))
    return new Set(chosen).size === 2 || undefined
  })
  const away: Pick<Engine, 'startTurn'> = { startTurn: () => Promise.reject(new Error('away')) }
  const account = await world.makeAccount()
  const chats = await Promise.all(Array.from({ length: 3 }, () => chatApi.openChat(account)))
  for (const chat of chats) {
    model.next({ text: 'It takes a while until this is said.', wordsPerSecond: 12 })
    const response = await world.withEngine({ ...world.engine, ...away }, () => chatApi.post(chat, 'go'))
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
