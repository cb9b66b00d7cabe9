import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApprovalsApi } from '../../chat/approvals/approvals-api.ts'
import { createChatApi, type OpenChat } from '../../chat/chat-api.ts'
import { listFaults, listFrames, readTranscript, listTypes, type Transcript } from '../../world/transcript.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { startApiProcess, startWorkerHere, startWorkerProcess, type Part } from '../processes.ts'
import { whileLocked } from '../table-locks.ts'
import { markingCommand, untilItRan } from './ran.ts'

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
const replace = async (doomed: Part): Promise<Part> => {
  const next = startWorkerProcess(world)
  await doomed.kill()
  return next
}

test('a worker killed during the request and one during the approved call lead to one request and one execution', async () => {
  let worker = await startWorkerProcess(world)
  const chat = await openWithApprovals()
  const asking = await chatApi.post(chat, `@words 80\n$ ${markingCommand}`)
  const askedTranscript = readTranscript(asking)
  await readTranscript(await chatApi.resume(chat), ({ frames }) => frames.length >= 12)
  worker = await replace(worker)
  expect(listFaults(await askedTranscript)).toEqual([])
  expect(listFrames(await askedTranscript).at(-1)).toMatchObject({ messageMetadata: { endReason: 'awaiting_user' } })
  expect(await api.requests(chat)).toHaveLength(1)
  expect(listTypes(await askedTranscript).filter((type) => type === 'tool-approval-request')).toHaveLength(1)

  const going = await api.answer(chat, { approved: true })
  const goneOn = readTranscript(going)
  await untilItRan(world, chat)
  worker = await replace(worker)
  const transcript = await goneOn
  expect(listFaults(transcript)).toEqual([])
  expect(listTypes(transcript).filter((type) => type === 'tool-output-available')).toHaveLength(1)
  const file = join(world.config.DATA_DIR, 'sandboxes', `session-${chat.sessionId}`, 'workspace', 'count.txt')
  expect(await readFile(file, 'utf8')).toBe('ran\n')
  expect(listFrames(transcript).at(-1)).toMatchObject({ messageMetadata: { endReason: 'natural' } })
  expect(await worker.stop()).toBe(0)
})

test('an answer that was accepted while nothing could carry it out is carried out by the next worker', async () => {
  const worker = await startWorkerProcess(world)
  const chat = await openWithApprovals()
  await chatApi.send(chat, '$ echo approved')
  await worker.kill()
  const unreachable = { ...world.engine, startTurn: () => Promise.reject(new Error('the engine is unreachable')) }
  const response = await world.withEngine(unreachable, () => api.answer(chat, { approved: true }))
  expect(response.status).toBe(200)
  const reading = readTranscript(response)
  const next = await startWorkerHere(world)
  const transcript = await reading
  expect(listFaults(transcript)).toEqual([])
  const outputs = listFrames(transcript).filter(({ type }) => type === 'tool-output-available')
  expect(outputs).toMatchObject([{ output: { stdout: 'approved\n' } }])
  expect(await next.stop()).toBe(0)
})

test('after a worker is killed while it stores a requested call, another one requests it again and makes it once', async () => {
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
  const survivor = await startWorkerHere(world)
  const askedTranscript = await reading!
  expect(listFaults(askedTranscript)).toEqual([])
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
  await eventually('the end of its connection', async () => {
    const [row] = await world.db`select active_stream_id from chats where id = ${chat.chatId}`
    return row?.['activeStreamId'] === null || undefined
  })
  expect(await api.requests(chat)).toHaveLength(1)
  const goneOn = await api.answerAndRead(chat, { approved: true })
  expect(listFaults(goneOn)).toEqual([])
  const outputs = listFrames(goneOn).filter(({ type }) => type === 'tool-output-available')
  expect(outputs).toMatchObject([{ output: { stdout: 'ran\n' } }])
  expect(await survivor.stop()).toBe(0)
})
