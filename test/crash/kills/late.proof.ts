import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { createChatApi } from '../../chat/chat-api.ts'
import { listFaults, listFrames, readTranscript, shownText } from '../../world/transcript.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { buildWorkerWith } from '../cluster/builds.ts'
import { createExternalServices, type ExternalServices } from '../external-services/services.ts'
import { deriveExpectation, writePlan, type Plan } from '../external-services/plan.ts'
import { startWorkerProcess } from '../processes.ts'
import { runTurn } from '../../../workflows/chat/messages.ts'

let services: ExternalServices
let world: World
beforeAll(async () => {
  services = await createExternalServices()
  world = await createWorld({ worker: false, settings: { MODEL_BASE_URL: services.modelUrl } })
})
afterAll(async () => {
  await world.close()
  await services.close()
})

const terminate = (): Promise<void> => Promise.reject(new Error('unreachable'))

test('a model call that exceeds its time limit is aborted and repeated', async () => {
  // Reduces the time limit of a call from ten minutes to two seconds.
  const shorter = { find: 'callTimeoutMs = 600_000', replace: 'callTimeoutMs = 2000' }
  const bundle = await buildWorkerWith({ 'activities/chat/model-call.ts': [shorter] })
  onTestFinished(() => rm(dirname(bundle), { recursive: true }))
  const worker = await startWorkerProcess(world, { HEAD_STARTS: '0' }, { ...inject('built'), worker: bundle })
  const chatApi = createChatApi(world)
  const faults = [{ kind: 'silence', words: 3 }] as const
  const plan: Plan = { id: 'late', wordsPerSecond: 50, rounds: [{ words: 8, faults: [...faults] }] }
  const response = await chatApi.post(await chatApi.openChat(), writePlan(plan))
  const transcript = await readTranscript(response)
  expect(listFaults(transcript)).toEqual([])
  expect(shownText(transcript)).toBe(deriveExpectation(plan).text)
  const retract = listFrames(transcript).find(({ type }) => type === 'data-retract')
  expect(retract?.['data']).toMatchObject({ step: 0, attempt: 1, reason: 'timeout' })
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  await eventually(
    'the end of the workflow',
    async () => (await world.engine.readState(runId)) === 'ended' || undefined,
  )
  await worker.stop()
})

test('a workflow that outlives its run is found and ended', async () => {
  const chatApi = createChatApi(world)
  const chat = await chatApi.openChatWithoutCommands()
  const response = await chatApi.post(chat, 'hello')
  await response.body?.cancel()
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  // The API that ends the run cannot reach the engine.
  const stopped = await world.withEngine({ ...world.engine, terminate }, () => chatApi.stop(chat))
  expect(await stopped.json()).toEqual({ success: true, stopped: true })
  const isOpen = async (): Promise<boolean> => {
    for await (const id of world.engine.listOpen({ only: [runTurn] }, 0)) if (id === runId) return true
    return false
  }
  await eventually('the workflow in the list', async () => (await isOpen()) || undefined)
  expect(await world.engine.findStuckReason(runId)).toBeUndefined()
  await world.engine.terminate(runId)
  expect(await world.engine.readState(runId)).toBe('ended')
  await eventually('the removal from the list', async () => !(await isOpen()) || undefined)
  await world.engine.terminate(runId)
  expect(await world.engine.findStuckReason('wrun_unknown')).toBeUndefined()
})
