import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listFaults, listFrames, readTranscript, shownText, listTypes } from '../../world/transcript.ts'
import { abandonedOutput } from '../../../activities/chat/tool-calls.ts'
import { connectClient } from '../../../engine/connect.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { createChatApi } from '../chat-api.ts'

let world: World
const logs: string[] = []
let chatApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  world = await createWorld({
    settings: { STEP_LIMIT: '3', HEAD_STARTS: '0' },
    logTo: { write: (line) => void logs.push(line) },
  })
  chatApi = createChatApi(world)
})
afterAll(() => world.close())

/** Lists the positions of the turn's batches, according to their heartbeats. */
const listPositions = async (workflowId: string): Promise<string[]> => {
  const engine = await connectClient({ address: world.temporalAddress, namespace: 'default', tls: false })
  try {
    const request = { namespace: 'default', execution: { workflowId } }
    const { pendingActivities } = await engine.client.workflowService.describeWorkflowExecution(request)
    return (pendingActivities ?? []).flatMap(({ heartbeatDetails }) =>
      (heartbeatDetails?.payloads ?? []).map(({ data }) => Buffer.from(data ?? []).toString()),
    )
  } finally {
    await engine.close()
  }
}

test('a permanent model error fails the run with a fixed text', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const response = await chatApi.post(chat, '@badrequest')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const transcript = await readTranscript(response)
  expect(listFaults(transcript)).toEqual([])
  expect(listFrames(transcript).slice(-2)).toEqual([
    { type: 'error', errorText: 'The model call failed' },
    { type: 'finish', finishReason: 'error', messageMetadata: { endReason: 'error' } },
  ])
  expect(await chatApi.runStatus(chat.account, runId)).toBe('failed')
  expect(await world.db`select 1 from credit_ledger where reference like ${`chat:${runId}:%`}`).toHaveLength(0)
  expect(listFaults(await chatApi.send(chat, '@say and the chat goes on'))).toEqual([])
})

test('a failed model call is retried; its partial text is retracted and not stored', async () => {
  const chat = await chatApi.openChat()
  const transcript = await chatApi.send(chat, '@cut 2\n@say The next show is on 12 March.')
  expect(listFaults(transcript)).toEqual([])
  const frames = listFrames(transcript)
  const retract = frames.find((frame) => frame.type === 'data-retract')
  const data = retract?.['data'] as { fromIndex: number; toIndex: number; partIds: string[]; reason: string }
  expect(data).toMatchObject({ step: 0, attempt: 1, fromIndex: 1, toolCallIds: [], reason: 'model_error' })
  expect(retract?.['id']).toMatch(/^wrun_.*:0:1$/)
  expect(retract?.['transient']).toBe(true)
  expect(listTypes(transcript)[data.fromIndex]).toBe('start-step')
  expect(listTypes(transcript)[data.toIndex]).toBe('finish-step')
  expect(data.partIds).toEqual(['txt_0_1_0'])
  expect(shownText(transcript)).toBe('The next show is on 12 March.')
  const stored = (await chatApi.load(chat)).messages[1]
  expect(stored?.parts.map((part) => part['type'])).toEqual(['step-start', 'text'])
  expect(stored?.parts[1]).toMatchObject({ text: 'The next show is on 12 March.' })
})

test('the run fails once all attempts of a model call have failed', async () => {
  const chat = await chatApi.openChatWithoutCommands()
  const transcript = await chatApi.send(chat, '@fail')
  expect(listFaults(transcript)).toEqual([])
  expect(listFrames(transcript).at(-1)).toMatchObject({ finishReason: 'error' })
  expect(listTypes(transcript).filter((type) => type === 'data-retract')).toHaveLength(2)
})

test('a turn that calls tools endlessly ends at the step limit', async () => {
  const chat = await chatApi.openChat()
  const transcript = await chatApi.send(chat, '@loop')
  expect(listFaults(transcript)).toEqual([])
  expect(listTypes(transcript).filter((type) => type === 'start-step')).toHaveLength(3)
  expect(listFrames(transcript).at(-1)).toEqual({
    type: 'finish',
    finishReason: 'tool-calls',
    messageMetadata: { endReason: 'step_limit' },
  })
})

test('a turn fails at its time limit', async () => {
  const shortLimitWorld = await createWorld({ settings: { RUN_TIME_LIMIT_SECONDS: '1' } })
  try {
    const shortLimitApi = createChatApi(shortLimitWorld)
    const chat = await shortLimitApi.openChatWithoutCommands()
    const transcript = await shortLimitApi.send(chat, '@stall')
    expect(listFaults(transcript)).toEqual([])
    expect(listFrames(transcript).slice(-2)).toEqual([
      { type: 'error', errorText: 'The run exceeded its time limit' },
      { type: 'finish', finishReason: 'error', messageMetadata: { endReason: 'time_limit' } },
    ])
  } finally {
    await shortLimitWorld.close()
  }
})

test('a failed command is a result for the model and does not end the turn', async () => {
  const chat = await chatApi.openChat()
  const transcript = await chatApi.send(chat, '$ exit 3\n@read nowhere.txt')
  const outputs = listFrames(transcript)
    .filter((frame) => frame.type === 'tool-output-available')
    .map((frame) => frame['output'])
  expect(outputs).toContainEqual(expect.objectContaining({ success: false, exitCode: 3 }))
  expect(outputs).toContainEqual(expect.objectContaining({ success: false, error: expect.any(String) }))
  expect(listFrames(transcript).at(-1)).toMatchObject({ finishReason: 'stop' })
})

test('a call waits for a sandbox that cannot be opened at first, and then runs once', async () => {
  const chat = await chatApi.openChat()
  const meta = join(world.config.DATA_DIR, 'sandboxes', `session-${chat.sessionId}`, 'meta.json')
  const original = await readFile(meta)
  await writeFile(meta, 'unreadable')
  const response = await chatApi.post(chat, '$ echo once >> effects; cat effects')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const failures = (): string[] => logs.filter((line) => line.includes('a tool call failed') && line.includes(runId))
  // A failing call has fewer attempts. This call waits for the sandbox instead.
  await eventually('five failed attempts', async () => failures().length > 4 || undefined)
  expect(failures()[0]).toContain('SyntaxError')
  // The engine receives only error names. Error texts, which may contain secrets, are logged.
  expect(await eventually('a heartbeat', async () => (await listPositions(runId))[0])).toBe(
    '{"step":0,"tools":["bash"]}',
  )
  const [call] = await world.db<{ startedAt: Date | null }[]>`
    select started_at as "startedAt" from run_tool_calls where run_id = ${runId}`
  expect(call?.startedAt).toBeNull()
  await writeFile(meta, original)
  const transcript = await readTranscript(response)
  expect(listFaults(transcript)).toEqual([])
  const output = listFrames(transcript).find(({ type }) => type === 'tool-output-available')?.['output']
  expect(output).toMatchObject({ success: true, stdout: 'once\n' })
})

test('the outcome of an abandoned call is unknown only if it began and may have had effects', () => {
  const bash = { toolName: 'bash', input: { command: 'x' } }
  const read = { toolName: 'read', input: { filePath: 'x' } }
  expect(abandonedOutput({ ...bash, attempts: 0 })).toMatchObject({
    error: expect.stringMatching(/^not started/) as string,
  })
  expect(abandonedOutput({ ...bash, attempts: 1 })).toMatchObject({ error: 'interrupted, outcome unknown' })
  expect(abandonedOutput({ ...read, attempts: 3 })).toMatchObject({ error: 'failed at every attempt' })
})
