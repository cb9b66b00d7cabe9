import { afterAll, beforeAll, expect, test } from 'vitest'
import { overviewSchema } from '../../domain/operator/overview.ts'
import { engineAddress } from '../../engine/connect.ts'
import { createChatApi, untilFound } from '../chat/chat-api.ts'
import { startWorkerInProcess, startWorkerProcess } from '../crash/processes.ts'
import { listRepetitions } from '../crash/repetitions.ts'
import { whileLocked } from '../crash/table-locks.ts'
import { createMusicApi } from '../music/music-api.ts'
import { listFaults, readTranscript } from '../world/transcript.ts'
import { createWorld, eventually, type World } from '../world/world.ts'
import { createRunsApi } from './runs-api.ts'

const adminOrganizationId = '33333333-3333-4333-8333-333333333333'

let world: World
let chatApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  const settings = { LOCAL_MODEL_WORDS_PER_SECOND: '60', ADMIN_ORGANIZATION_ID: adminOrganizationId }
  world = await createWorld({ worker: false, settings })
  chatApi = createChatApi(world)
})
afterAll(() => world.close())

const { timeline } = createRunsApi(() => world)
const music = createMusicApi(() => world)

test('a worker killed during a model call shows as a lost attempt of its step and as a lost process', async () => {
  const firstWorker = await startWorkerProcess(world)
  const chat = await chatApi.openChatWithoutCommands()
  const response = await chatApi.post(chat, '@words 120')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  await readTranscript(response, ({ frames }) => frames.length >= 12)
  await untilFound(
    'the report of the worker',
    () => world.db`select 1 from process_reports where pid = ${firstWorker.pid}`,
  )
  await firstWorker.kill()
  const secondWorker = await startWorkerProcess(world)
  const ended = await eventually('the end of the turn', async () => {
    const read = await timeline(chat.account, runId)
    return read.run.endedAt === null ? undefined : read
  })
  const [, step, attempt] = ended.entries
  expect(step).toMatchObject({ kind: 'step', status: 'completed', attempt: 2 })
  expect(attempt).toMatchObject({ kind: 'attempt', name: '1', status: 'lost', parentId: step?.id })
  expect(attempt?.error).toEqual({ name: 'WorkerLost', message: 'The worker was lost' })
  await world.db`insert into accounts (id, kind, name) values (${adminOrganizationId}, 'organization', 'Operators')`
  const operator = await world.makeAccount({ organizationId: adminOrganizationId })
  const overview = await eventually('the loss of the process', async () => {
    const response = await world.request('GET', '/api/operator/overview', { key: operator.key })
    const current = overviewSchema.parse(response.body)
    return current.lost.processes === 0 ? undefined : current
  })
  expect(overview.lost).toMatchObject({ processes: 1, attempts: 1 })
  expect(overview.processes.find(({ pid }) => pid === firstWorker.pid)).toMatchObject({ part: 'worker', state: 'lost' })
  expect(overview.totals).toMatchObject({ apisAlive: 1, workersAlive: 1 })
  expect(await secondWorker.stop()).toBe(0)
  expect(await world.db`select 1 from process_reports where pid = ${secondWorker.pid}`).toHaveLength(0)
})

test('a worker killed during a command shows as a lost attempt of the tool call', async () => {
  const firstWorker = await startWorkerProcess(world)
  const chat = await chatApi.openChat()
  const response = await chatApi.post(chat, '$ sleep 20')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const reading = readTranscript(response)
  await untilFound(
    'the command',
    () => world.db`select 1 from run_tool_calls where run_id = ${runId} and started_at is not null`,
  )
  const secondWorker = await startWorkerInProcess(world)
  await firstWorker.kill()
  expect(listFaults(await reading)).toEqual([])
  const { entries } = await timeline(chat.account, runId)
  const call = entries.find(({ kind }) => kind === 'tool')
  expect(call).toMatchObject({ name: 'bash', status: 'failed', attempt: 2 })
  expect(call?.error?.message).toContain('interrupted, outcome unknown')
  expect(entries.filter(({ parentId }) => parentId === call?.id)).toMatchObject([
    { kind: 'attempt', name: '1', status: 'lost', startedAt: call?.startedAt },
  ])
  expect(await secondWorker.stop()).toBe(0)
})

test('Temporal retries the activity of a worker killed during a job before the heartbeat timeout', async () => {
  const payer = await world.makeAccount({ credits: 100_000 })
  const firstWorker = await startWorkerProcess(world)
  let id = ''
  await whileLocked(world, 'usage_events', async (blocked) => {
    id = await music.start(payer)
    await blocked
    await firstWorker.kill()
  })
  const secondWorker = await startWorkerInProcess(world)
  expect((await music.untilEnded(payer, id)).generation.status).toBe('completed')
  const repetitions = await listRepetitions(
    engineAddress(world.config, world.temporalAddress),
    await music.findRunId(id),
  )
  expect(repetitions).toEqual(['WorkerLost'])
  expect(await secondWorker.stop()).toBe(0)
})
