import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChatApi } from '../../chat/chat-api.ts'
import { startServer, type TestServer } from '../../providers/egress/servers.ts'
import { listFaults, listFrames, readTranscript } from '../../world/transcript.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { startWorkerInProcess, startWorkerProcess } from '../processes.ts'

let platform: TestServer
let world: World
beforeAll(async () => {
  // The first request to each path gets no response.
  platform = await startServer('127.0.0.1', (request, response) => {
    if (platform.requests.filter(({ path }) => path === request.url).length > 1) response.end('answered')
  })
  world = await createWorld({ worker: false, settings: { BASE_URL: platform.origin } })
})
afterAll(async () => {
  await world.close()
  await platform.close()
})

/** Runs a fetch whose worker is killed while it waits for the response. Returns its output. */
const fetchAcrossKill = async (input: { url: string; method?: string }): Promise<unknown> => {
  const settings = { BASE_URL: platform.origin }
  const doomed = await startWorkerProcess(world, settings)
  const chatApi = createChatApi(world)
  const chat = await chatApi.openChat()
  const reading = readTranscript(await chatApi.post(chat, `@call fetch ${JSON.stringify(input)}`))
  await eventually(
    'the request',
    async () => platform.requests.some(({ path }) => input.url.endsWith(path)) || undefined,
    30_000,
  )
  await doomed.kill()
  const survivor = await startWorkerInProcess(world, settings)
  const transcript = await reading
  expect(listFaults(transcript)).toEqual([])
  await survivor.stop()
  return listFrames(transcript).find(({ type }) => type === 'tool-output-available')?.['output']
}

const listRequestsTo = (requestPath: string) => platform.requests.filter(({ path }) => path === requestPath)

test('a POST whose worker is killed is not repeated, and its output states that the outcome is unknown', async () => {
  const output = await fetchAcrossKill({ url: `${platform.origin}/posted`, method: 'POST' })
  expect(output).toEqual({ success: false, error: 'interrupted, outcome unknown' })
  expect(listRequestsTo('/posted')).toHaveLength(1)
})

test('a GET whose worker is killed is repeated with the same idempotency key', async () => {
  const output = await fetchAcrossKill({ url: `${platform.origin}/got` })
  expect(output).toEqual({ success: true, status: 200, body: 'answered', truncated: false })
  const idempotencyKeys = listRequestsTo('/got').map(({ headers }) => headers['idempotency-key'])
  expect(idempotencyKeys.length).toBeGreaterThan(1)
  expect(new Set(idempotencyKeys).size).toBe(1)
})

test("the build of the worker contains the platform's skill", async () => {
  const worker = await startWorkerProcess(world)
  const chatApi = createChatApi(world)
  const transcript = await chatApi.send(await chatApi.openChat(), '@call skill {"skill":"platform"}')
  const output = listFrames(transcript).find(({ type }) => type === 'tool-output-available')?.['output']
  expect(output).toMatchObject({ success: true, skillName: 'platform' })
  await worker.stop()
})
