import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApprovalsApi } from '../../chat/approvals/approvals-api.ts'
import { createChatApi, type OpenChat } from '../../chat/chat-api.ts'
import { listFaults, listFrames, readTranscript, listTypes, type Transcript } from '../../world/transcript.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { startApiProcess, startWorkerInProcess, startWorkerProcess, type Part } from '../processes.ts'
import { whileLocked } from '../table-locks.ts'
import { markingCommand, untilCommandRan } from './ran.ts'

let world: World
let chatApi: ReturnType<typeof createChatApi>
let api: ReturnType<typeof createApprovalsApi>
beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { LOCAL_MODEL_WORDS_PER_SECOND: '40' } })
  chatApi = createChatApi(world)
  api = createApprovalsApi(world, chatApi)
})
afterAll(() => world.close())

const openWithApprovals = async (): Promise<OpenChat> => {
  const chat = await chatApi.openChat()
  expect((await api.sendRequest(chat, { tools: ['bash'] })).status).toBe(200)
  return chat
}

/** Kills one worker and starts another. */
const replaceWorker = async (doomed: Part): Promise<Part> => {
  const next = startWorkerProcess(world)
  await doomed.kill()
  return next
}

test('a tool call is submitted for approval and executed once although workers are killed during both', async () => {
  let worker = await startWorkerProcess(world)
  const chat = await openWithApprovals()
  const requestResponse = await chatApi.post(chat, `@words 80\n$ ${markingCommand}`)
  const requestTranscript = readTranscript(requestResponse)
  await readTranscript(await chatApi.resume(chat), ({ frames }) => frames.length >= 12)
  worker = await replaceWorker(worker)
  expect(listFaults(await requestTranscript)).toEqual([])
  expect(listFrames(await requestTranscript).at(-1)).toMatchObject({ messageMetadata: { endReason: 'awaiting_user' } })
  expect(await api.requests(chat)).toHaveLength(1)
  expect(listTypes(await requestTranscript).filter((type) => type === 'tool-approval-request')).toHaveLength(1)

  const answerResponse = await api.answer(chat, { approved: true })
  const continued = readTranscript(answerResponse)
  await untilCommandRan(world, chat)
  worker = await replaceWorker(worker)
  const transcript = await continued
  expect(listFaults(transcript)).toEqual([])
  expect(listTypes(transcript).filter((type) => type === 'tool-output-available')).toHaveLength(1)
  const file = join(world.config.DATA_DIR, 'sandboxes', `session-${chat.sessionId}`, 'workspace', 'count.txt')
  expect(await readFile(file, 'utf8')).toBe('ran\n')
  expect(listFrames(transcript).at(-1)).toMatchObject({ messageMetadata: { endReason: 'natural' } })
  expect(await worker.stop()).toBe(0)
})

test('an approval that the API accepts while the worker and the engine are down is executed by the next worker', async () => {
  const worker = await startWorkerProcess(world)
  const chat = await openWithApprovals()
  await chatApi.send(chat, '$ echo approved')
  await worker.kill()
  const unreachable = { ...world.engine, startTurn: () => Promise.reject(new Error('the engine is unreachable')) }
  const response = await world.withEngine(unreachable, () => api.answer(chat, { approved: true }))
  expect(response.status).toBe(200)
  const reading = readTranscript(response)
  const next = await startWorkerInProcess(world)
  const transcript = await reading
  expect(listFaults(transcript)).toEqual([])
  const outputs = listFrames(transcript).filter(({ type }) => type === 'tool-output-available')
  expect(outputs).toMatchObject([{ output: { stdout: 'approved\n' } }])
  expect(await next.stop()).toBe(0)
})

test('a tool call is submitted and executed once although a worker and an API are killed while they store it', async () => {
  const doomed = await startWorkerProcess(world)
  const chat = await openWithApprovals()
  let reading: Promise<Transcript> | undefined
  await whileLocked(
    world,
    'run_tool_calls',
    async (blocked) => {
      reading = readTranscript(await chatApi.post(chat, '$ echo ran >> count.txt; cat count.txt'))
      await blocked
      await doomed.kill()
    },
    'writers',
  )
  const survivor = await startWorkerInProcess(world)
  const requestTranscript = await reading!
  expect(listFaults(requestTranscript)).toEqual([])
  expect(await api.requests(chat)).toHaveLength(1)
  const stored = await world.db`
    select 1 from run_tool_calls join runs on runs.id = run_id where chat_id = ${chat.chatId}`
  expect(stored).toHaveLength(1)

  const apiProcess = await startApiProcess(world)
  const body = JSON.stringify({
    chatId: chat.chatId,
    sessionId: chat.sessionId,
    messages: await api.withAnswers(chat, [{ approved: true }]),
  })
  const headers = { 'x-api-key': chat.account.key, 'content-type': 'application/json' }
  await whileLocked(
    world,
    'run_tool_calls',
    async (blocked) => {
      const lost = fetch(`${apiProcess.baseUrl}/api/chat`, { method: 'POST', headers, body }).catch(() => undefined)
      await blocked
      await apiProcess.kill()
      await lost
    },
    'writers',
  )
  await eventually('the release of the slot', async () => {
    const [row] = await world.db`select active_stream_id from chats where id = ${chat.chatId}`
    return row?.['activeStreamId'] === null || undefined
  })
  expect(await api.requests(chat)).toHaveLength(1)
  const continuedTranscript = await api.answerAndRead(chat, { approved: true })
  expect(listFaults(continuedTranscript)).toEqual([])
  const outputs = listFrames(continuedTranscript).filter(({ type }) => type === 'tool-output-available')
  expect(outputs).toMatchObject([{ output: { stdout: 'ran\n' } }])
  expect(await survivor.stop()).toBe(0)
})
