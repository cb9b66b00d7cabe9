import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approvalsApiOf } from '../../chat/approvals/approvals-api.ts'
import { chatApiOf, type OpenChat } from '../../chat/chat-api.ts'
import { faultsOf, framesOf, readTranscript, typesOf } from '../../world/transcript.ts'
import { createWorld, type World } from '../../world/world.ts'
import { startWorkerProcess, type Part } from '../processes.ts'
import { markingCommand, untilItRan } from './ran.ts'

let world: World
let chatApi: ReturnType<typeof chatApiOf>
let api: ReturnType<typeof approvalsApiOf>
beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { LOCAL_MODEL_WORDS_PER_SECOND: '40' } })
  chatApi = chatApiOf(world)
  api = approvalsApiOf(world, chatApi)
})
afterAll(() => world.close())

const openAsking = async (): Promise<OpenChat> => {
  const chat = await chatApi.openChat()
  expect((await api.ask(chat, { tools: ['bash'] })).status).toBe(200)
  return chat
}

/** Kills one worker and starts another. */
const replace = async (doomed: Part): Promise<Part> => {
  const next = startWorkerProcess(world)
  await doomed.kill()
  return next
}

test('a worker killed while the model asks, and one killed while the approved call runs: one request, one execution', async () => {
  let worker = await startWorkerProcess(world)
  const chat = await openAsking()
  const asking = await chatApi.post(chat, `@words 80\n$ ${markingCommand}`)
  const asked = readTranscript(asking)
  await readTranscript(await chatApi.resume(chat), ({ frames }) => frames.length >= 12)
  worker = await replace(worker)
  expect(faultsOf(await asked)).toEqual([])
  expect(framesOf(await asked).at(-1)).toMatchObject({ messageMetadata: { endReason: 'awaiting_user' } })
  expect(await api.requests(chat)).toHaveLength(1)
  expect(typesOf(await asked).filter((type) => type === 'tool-approval-request')).toHaveLength(1)

  const going = await api.answer(chat, { approved: true })
  const goneOn = readTranscript(going)
  await untilItRan(world, chat)
  worker = await replace(worker)
  const transcript = await goneOn
  expect(faultsOf(transcript)).toEqual([])
  expect(typesOf(transcript).filter((type) => type === 'tool-output-available')).toHaveLength(1)
  const file = join(world.config.DATA_DIR, 'sandboxes', `session-${chat.sessionId}`, 'workspace', 'count.txt')
  expect(await readFile(file, 'utf8')).toBe('ran\n')
  expect(framesOf(transcript).at(-1)).toMatchObject({ messageMetadata: { endReason: 'natural' } })
  expect(await worker.stop()).toBe(0)
})

test('an answer that was accepted while nothing could begin it is carried out by the next worker', async () => {
  const worker = await startWorkerProcess(world)
  const chat = await openAsking()
  await chatApi.send(chat, '$ echo approved')
  await worker.kill()
  const unreachable = { ...world.engine, startTurn: () => Promise.reject(new Error('the engine is away')) }
  const response = await world.withEngine(unreachable, () => api.answer(chat, { approved: true }))
  expect(response.status).toBe(200)
  const reading = readTranscript(response)
  const next = await startWorkerProcess(world)
  const transcript = await reading
  expect(faultsOf(transcript)).toEqual([])
  const outputs = framesOf(transcript).filter(({ type }) => type === 'tool-output-available')
  expect(outputs).toMatchObject([{ output: { stdout: 'approved\n' } }])
  expect(await next.stop()).toBe(0)
})
