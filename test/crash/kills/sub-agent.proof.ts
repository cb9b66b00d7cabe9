import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChatApi, untilFound } from '../../chat/chat-api.ts'
import { listFaults, listFrames, readTranscript, shownText, type Transcript } from '../../world/transcript.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { startWorkerInProcess, startWorkerProcess } from '../processes.ts'
import { markingCommand, untilCommandRan } from './ran.ts'

let world: World
let chatApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  world = await createWorld({ worker: false, settings: { LOCAL_MODEL_WORDS_PER_SECOND: '30' } })
  chatApi = createChatApi(world)
})
afterAll(() => world.close())

/** Settings of the second worker, which streams the rest of the text quickly. */
const fastSettings = { LOCAL_MODEL_WORDS_PER_SECOND: '300' }

const findOutput = (transcript: Transcript): Record<string, unknown> =>
  listFrames(transcript).findLast((frame) => frame.type === 'tool-output-available' && frame['preliminary'] !== true)?.[
    'output'
  ] as Record<string, unknown>

test('after a worker is killed in a model call of a sub-agent, another worker repeats only this call', async () => {
  const doomed = await startWorkerProcess(world)
  const chat = await chatApi.openChat()
  const response = await chatApi.post(chat, '@task $ echo ran >> count.txt ;; --- ;; @words 300')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const reading = readTranscript(response)
  await untilFound(
    'text of the second model call',
    () => world.db`
      select 1 from run_sub_agent_steps where run_id = ${runId} and step = 1 and output_characters > 0`,
  )
  await doomed.kill()
  const survivor = await startWorkerInProcess(world, fastSettings)
  const transcript = await reading
  expect(listFaults(transcript)).toEqual([])
  expect(JSON.stringify(findOutput(transcript)['final'])).toContain('word-299 word-300"')
  expect(findOutput(transcript)).toMatchObject({ toolCallCount: 1, final: [{}, {}, { role: 'assistant' }] })
  const after = await chatApi.send(chat, '$ wc -l < count.txt')
  expect(JSON.stringify(listFrames(after))).toContain('"stdout":"1\\n"')
  const usage = await world.db`select agent_type from usage_events where run_id = ${runId}`
  expect(usage).toHaveLength(2)
  expect(await survivor.stop()).toBe(0)
})

test('a command of a sub-agent whose worker is killed is not repeated, and its outcome is unknown', async () => {
  const doomed = await startWorkerProcess(world)
  const chat = await chatApi.openChat()
  const response = await chatApi.post(chat, `@task $ ${markingCommand} ;; --- ;; @say I go on.`)
  const reading = readTranscript(response)
  await untilCommandRan(world, chat)
  await doomed.kill()
  const survivor = await startWorkerInProcess(world)
  const transcript = await reading
  expect(listFaults(transcript)).toEqual([])
  expect(JSON.stringify(findOutput(transcript)['final'])).toContain('interrupted, outcome unknown')
  expect(shownText(transcript)).toBe('task answered:\n\nI go on.')
  const after = await chatApi.send(chat, '$ cat count.txt')
  expect(JSON.stringify(listFrames(after))).toContain('"stdout":"ran\\n"')
  expect(await survivor.stop()).toBe(0)
})

test('a worker that receives SIGTERM leaves a sub-agent to another worker without a failed attempt', async () => {
  const stoppingWorker = await startWorkerProcess(world, { WORKER_GRACE_SECONDS: '1' })
  const chat = await chatApi.openChat()
  const response = await chatApi.post(chat, '@task @words 900')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const reading = readTranscript(response)
  await untilFound(
    'output of the model',
    () => world.db`
      select 1 from run_sub_agent_steps where run_id = ${runId} and output_characters > 0`,
  )
  const remaining = await startWorkerInProcess(world, fastSettings)
  expect(await stoppingWorker.stop()).toBe(0)
  await eventually(
    'a model call by the other worker',
    async () => {
      const [row] = await world.db<{ attempt: number; failures: number }[]>`
      select attempt, failures from run_sub_agent_steps where run_id = ${runId}`
      expect(row?.failures ?? 0).toBe(0)
      return (row?.attempt ?? 1) > 1 || undefined
    },
    30_000,
  )
  const transcript = await reading
  expect(listFaults(transcript)).toEqual([])
  expect(JSON.stringify(findOutput(transcript)['final'])).toContain('word-899 word-900"')
  expect(await remaining.stop()).toBe(0)
})
