import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxToolCalls } from '../../domain/log/frames.ts'
import { connectClient, engineAddress } from '../../engine/connect.ts'
import { createFakeModel, type FakeResponse, type FakeModel } from '../world/models/fake-model.ts'
import { listFaults, listFrames, readTranscript, shownText, type Transcript } from '../world/transcript.ts'
import { createWorld, type World } from '../world/world.ts'
import { createChatApi, type OpenChat } from './chat-api.ts'

let model: FakeModel
let world: World
let chatApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  model = await createFakeModel()
  world = await createWorld({
    settings: {
      MODEL_BASE_URL: model.url,
      GATEWAY_BASE_URL: model.url,
      GATEWAY_API_KEY: 'key-of-the-gateway',
      SUBAGENT_MODEL: 'some-vendor/small',
    },
  })
  chatApi = createChatApi(world)
})
afterAll(async () => {
  await world.close()
  await model.close()
})

const maxConcurrent = 16

// A fetch of a loopback address is rejected immediately and needs no sandbox.
const rejectedFetch = { name: 'fetch', arguments: { url: 'http://127.0.0.1/' } }
const repeatCall = (count: number, call: NonNullable<FakeResponse['calls']>[number]): FakeResponse => ({
  calls: Array.from({ length: count }, () => call),
  wholeCalls: true,
})

const lastRole = ({ body }: { body: { messages?: unknown[] } }): unknown =>
  (body.messages?.at(-1) as { role?: unknown } | undefined)?.role

/** Sets the response by the content of a model request, because a busy machine may repeat calls. */
const setResponses = (calls: FakeResponse, results: FakeResponse): void =>
  model.always((request) => (lastRole(request) === 'tool' ? results : calls))

const send = async (chat: OpenChat): Promise<{ runId: string; transcript: Transcript }> => {
  const response = await chatApi.post(chat, 'Go')
  return { runId: response.headers.get('x-workflow-run-id') ?? '', transcript: await readTranscript(response) }
}

/** Returns the maximum number of concurrent calls of the run, according to their receipts. */
const countOverlapping = async (runId: string): Promise<number> => {
  const [row] = await world.db<{ most: number }[]>`
    select max(overlapping)::int as most from run_tool_calls as call cross join lateral (
      select count(*) as overlapping from run_tool_calls as other
      where other.run_id = call.run_id and other.started_at <= call.started_at and other.ended_at > call.started_at
    ) as counted where call.run_id = ${runId}`
  return row?.most ?? 0
}

/** Returns the maximum number of concurrent activities of the run, according to its history. */
const countConcurrentActivities = async (runId: string): Promise<number> => {
  const engine = await connectClient(engineAddress(world.config, world.temporalAddress))
  try {
    const { events } = await engine.client.workflow.getHandle(runId).fetchHistory()
    const open = new Set<string>()
    let maxOpen = 0
    for (const event of events ?? []) {
      const scheduled = event.activityTaskScheduledEventAttributes
      if (scheduled) open.add(String(event.eventId))
      const ended = event.activityTaskCompletedEventAttributes ?? event.activityTaskFailedEventAttributes
      if (ended) open.delete(String(ended.scheduledEventId))
      maxOpen = Math.max(maxOpen, open.size)
    }
    return maxOpen
  } finally {
    await engine.close()
  }
}

test('only the first 64 of 5000 tool calls run, at most 16 concurrently, and the model learns why', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  setResponses(repeatCall(5000, rejectedFetch), { text: 'I see.' })
  const { runId, transcript } = await send(chat)
  expect(listFaults(transcript)).toEqual([])
  expect(shownText(transcript)).toBe('I see.')
  expect(listFrames(transcript).filter(({ type }) => type === 'tool-output-available')).toHaveLength(maxToolCalls)
  const [row] = await world.db<{ calls: number; ended: number }[]>`
    select count(*)::int as calls, count(ended_at)::int as ended from run_tool_calls where run_id = ${runId}`
  expect(row).toEqual({ calls: maxToolCalls, ended: maxToolCalls })
  const lastRequest = model.requests.findLast((request) => lastRole(request) === 'tool')
  const messages = (lastRequest?.body.messages ?? []) as { role: string; content: string }[]
  const results = messages.filter(({ role }) => role === 'tool')
  expect(results).toHaveLength(5000)
  expect(results.filter(({ content }) => content.includes('at most 64 tool calls'))).toHaveLength(5000 - maxToolCalls)
  const overlapping = await countOverlapping(runId)
  expect(overlapping).toBeGreaterThan(1)
  expect(overlapping).toBeLessThanOrEqual(maxConcurrent)
  expect(await countConcurrentActivities(runId)).toBe(1)
  model.always({ text: 'And on.' })
  expect(shownText(await chatApi.send(chat, 'More'))).toBe('And on.')
})

test('the sub-agents of a step share the concurrency limit', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const task = { name: 'task', arguments: { task: 'Count', instructions: 'All of it.' } }
  model.always((request) =>
    request.body.model === 'some-vendor/small'
      ? { text: 'Counted.' }
      : lastRole(request) === 'tool'
        ? { text: 'Done.' }
        : repeatCall(20, task),
  )
  const { runId, transcript } = await send(chat)
  expect(listFaults(transcript)).toEqual([])
  expect(shownText(transcript)).toBe('Done.')
  expect(await countConcurrentActivities(runId)).toBe(maxConcurrent)
})

test('a turn whose response contains only empty tool calls ends', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  model.always(repeatCall(20_000, { name: 'fetch', arguments: '' }))
  const { transcript } = await send(chat)
  expect(listFaults(transcript)).toEqual([])
  expect(listFrames(transcript).at(-2)).toEqual({ type: 'error', errorText: 'The model call failed' })
})

test('a deeply nested input produces a result, and the turn continues', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const deep = `{"url":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
  setResponses({ calls: [{ name: 'fetch', arguments: deep }], wholeCalls: true }, { text: 'I see.' })
  const { transcript } = await send(chat)
  expect(listFaults(transcript)).toEqual([])
  expect(shownText(transcript)).toBe('I see.')
  expect(listFrames(transcript).find(({ type }) => type === 'tool-input-error')).toMatchObject({
    errorText: 'The input is nested too deeply',
  })
})
