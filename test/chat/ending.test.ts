import { afterAll, beforeAll, expect, test } from 'vitest'
import { listFaults, listFrames, readTranscript, listTypes } from '../world/transcript.ts'
import { createWorld, eventually, type World } from '../world/world.ts'
import { createChatApi, type OpenChat } from './chat-api.ts'

let world: World
let chatApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  world = await createWorld()
  chatApi = createChatApi(world)
})
afterAll(() => world.close())

/** Starts a turn whose second model call stalls, so that a test can change the rows of the first call. */
const startStalled = async (): Promise<{
  chat: OpenChat
  runId: string
  reading: ReturnType<typeof readTranscript>
}> => {
  const chat = await chatApi.openChatWithoutCommands()
  const response = await chatApi.post(chat, '@call no_such_tool\n---\n@say almost done now\n@stall')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const reading = readTranscript(response)
  await eventually('the second call', async () => {
    const rows =
      await world.db`select 1 from stream_head where run_id = ${runId} and open_step = 1 and next_seq > step_seq + 1`
    return rows[0]
  })
  return { chat, runId, reading }
}

const listAlerts = async (runId: string) =>
  (await world.db<{ reason: string }[]>`select reason from run_alerts where run_id = ${runId}`).map(
    ({ reason }) => reason,
  )

const expectChatContinues = async (chat: OpenChat): Promise<void> => {
  const transcript = await chatApi.send(chat, '@say next')
  expect(listFaults(transcript)).toEqual([])
}

test('token counts beyond the range of a usage row are charged as its maximum', async () => {
  const { chat, runId, reading } = await startStalled()
  const usage = { inputTokens: 12.5, inputTokenDetails: {}, outputTokens: 3e12, outputTokenDetails: {} }
  await world.db`update run_steps set usage = ${JSON.stringify(usage)}::text::json where run_id = ${runId}`
  expect((await chatApi.stop(chat)).status).toBe(200)
  expect(listFaults(await reading)).toEqual([])
  const [row] = await world.db<{ output: number }[]>`
    select output_tokens as output from usage_events where run_id = ${runId}`
  expect(row?.output).toBe(2 ** 31 - 1)
  expect(await listAlerts(runId)).toEqual([])
  await expectChatContinues(chat)
})

test.each(['1e30', 'Infinity', 'NaN'])(
  'a charge of %s USD raises an alert, and the run ends normally',
  async (cost) => {
    const { chat, runId, reading } = await startStalled()
    await world.db`update run_steps set cost_usd = ${cost}::text::numeric where run_id = ${runId}`
    expect((await chatApi.stop(chat)).status).toBe(200)
    const transcript = await reading
    expect(listFaults(transcript)).toEqual([])
    expect(listTypes(transcript).slice(-2)).toEqual(['abort', 'finish'])
    expect(await listAlerts(runId)).toEqual(['not_charged'])
    expect(await world.db`select 1 from credit_ledger where reference like ${`chat:${runId}:%`}`).toEqual([])
    await eventually(
      'the metric',
      async () =>
        (await (await fetch(world.metricsUrl)).text()).includes('backline_run_alerts{reason="not_charged"}') ||
        undefined,
    )
    await expectChatContinues(chat)
  },
)

test('a run whose log cannot be folded into a message is ended by force, with an alert instead of a charge', async () => {
  const { chat, runId, reading } = await startStalled()
  await world.db`
    update stream_chunk set body = 'no frame' where run_id = ${runId} and seq = (
      select step_seq + 1 from stream_head where run_id = ${runId}
    )`
  expect((await chatApi.stop(chat)).status).toBe(200)
  const transcript = await reading
  expect(listFrames(transcript).slice(-2)).toMatchObject([
    { type: 'error', errorText: 'Internal error' },
    { type: 'finish', finishReason: 'error' },
  ])
  expect(transcript.done).toBe(true)
  expect(await chatApi.runStatus(chat.account, runId)).toBe('failed')
  expect(await listAlerts(runId)).toEqual(['forced_end'])
  await expectChatContinues(chat)
})
