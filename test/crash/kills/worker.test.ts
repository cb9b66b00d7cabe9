import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChatApi, repeatedWords } from '../../chat/chat-api.ts'
import { listFaults, listFrames, readTranscript, shownText } from '../../world/transcript.ts'
import { createWorld, type World } from '../../world/world.ts'
import { startWorkerProcess } from '../processes.ts'

let world: World
let chatApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { LOCAL_MODEL_WORDS_PER_SECOND: '60' } })
  chatApi = createChatApi(world)
})
afterAll(() => world.close())

test('after a worker is killed during a stream, another worker continues, and no reader misses or repeats bytes', async () => {
  const doomed = await startWorkerProcess(world)
  const chat = await chatApi.openChatWithoutCommands()
  const response = await chatApi.post(chat, '@words 120')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const whole = readTranscript(response)
  const early = await readTranscript(await chatApi.resume(chat), ({ frames }) => frames.length >= 12)
  const survivor = startWorkerProcess(world)
  await doomed.kill()
  const resumed = await readTranscript(await chatApi.resume(chat, early.frames.at(-1)?.index))
  await survivor
  const transcript = await whole
  expect(listFaults(transcript)).toEqual([])
  expect([...early.frames, ...resumed.frames]).toEqual(transcript.frames)
  const retract = listFrames(transcript).find((frame) => frame.type === 'data-retract')
  expect(retract?.['data']).toMatchObject({ step: 0, attempt: 1, fromIndex: 1, reason: 'worker_lost' })
  expect(shownText(transcript)).toBe(repeatedWords(120))
  const stored = (await chatApi.load(chat)).messages[1]
  expect(stored?.parts.map((part) => part['type'])).toEqual(['step-start', 'text'])
  expect(stored?.parts[1]).toMatchObject({ text: repeatedWords(120) })
  expect(await chatApi.runStatus(chat.account, runId)).toBe('completed')
  const charges = await world.db`select amount from credit_ledger where reference like ${`chat:${runId}:%`}`
  expect(charges).toHaveLength(1)
  expect(await (await survivor).stop()).toBe(0)
})
