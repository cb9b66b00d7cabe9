import { afterAll, beforeAll, expect, test } from 'vitest'
import { foldFrames } from '../../../domain/log/fold.ts'
import type { Frame } from '../../../domain/log/frames.ts'
import type { Usage } from '../../../domain/credits/usage.ts'
import {
  listFaults,
  listFrames,
  readTranscript,
  shownText,
  listTypes,
  type Transcript,
} from '../../world/transcript.ts'
import { createWorld, eventually, type World } from '../../world/world.ts'
import { createChatApi, untilFound, type OpenChat } from '../chat-api.ts'

let world: World
let chatApi: ReturnType<typeof createChatApi>
beforeAll(async () => {
  world = await createWorld()
  chatApi = createChatApi(world)
})
afterAll(() => world.close())

type Output = Record<string, unknown>

const listOutputs = (frames: Frame[]): Frame[] => frames.filter((frame) => frame.type === 'tool-output-available')

const listFinals = (transcript: Transcript): Output[] =>
  listOutputs(listFrames(transcript))
    .filter((frame) => frame['preliminary'] !== true)
    .map((frame) => frame['output'] as Output)

const readTokens = (output: Output | undefined, kind: 'inputTokens' | 'outputTokens' | 'totalTokens'): number =>
  ((output ?? {}) as { usage: Usage }).usage[kind] ?? 0

/** Returns the stored parts of the answer, after checking that they equal the fold of its frames. */
const readStoredParts = async (chat: OpenChat, transcript: Transcript) => {
  const stored = (await chatApi.load(chat)).messages[1]
  const frames = transcript.frames.map(({ index, body }) => ({ index, frame: JSON.parse(body) as Frame }))
  expect(stored?.parts).toEqual(foldFrames(frames).parts)
  return stored?.parts ?? []
}

const listUsage = (runId: string) =>
  world.db<{ agent: string; model: string; tools: number; input: number; output: number; reference: string }[]>`
    select agent_type as agent, model_id as model, tool_call_count as tools, input_tokens as input,
      output_tokens as output, reference
    from usage_events where run_id = ${runId} order by agent_type`

const countRows = async (): Promise<number> => {
  const [row] = await world.db<{ count: number }[]>`
    select (select count(*) from run_sub_agents)::int + (select count(*) from run_sub_agent_steps)::int
      + (select count(*) from run_sub_agent_calls)::int as count`
  return row?.count ?? -1
}

test('a sub-agent shows its progress, and its parent reads its last text', async () => {
  const chat = await chatApi.openChat()
  const response = await chatApi.post(chat, '@task $ echo from below ;; --- ;; @say The sandbox answers.')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const transcript = await readTranscript(response)
  expect(listFaults(transcript)).toEqual([])
  const frames = listFrames(transcript)
  const shown = listOutputs(frames)
  expect(shown.map((frame) => frame['preliminary'])).toEqual([true, true, true, true, undefined])
  const [begun, first, pending, second, last] = shown.map((frame) => frame['output'] as Output)
  expect(begun).toEqual({ toolCallCount: 0, startedAt: expect.stringMatching(/Z$/), modelId: 'local/assistant' })
  expect(first).toEqual({ ...begun, usage: expect.objectContaining({ inputTokens: expect.any(Number) }) })
  expect(pending).toEqual({
    ...first,
    toolCallCount: 1,
    pending: { name: 'bash', input: { command: 'echo from below' } },
  })
  expect(second).toEqual({ ...begun, toolCallCount: 1, usage: expect.anything() })
  expect(readTokens(second, 'totalTokens')).toBeGreaterThan(readTokens(first, 'totalTokens'))
  const callId = expect.stringMatching(/^call_/)
  expect(last).toEqual({
    ...second,
    final: [
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: callId, toolName: 'bash', input: { command: 'echo from below' } }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: callId,
            toolName: 'bash',
            output: { type: 'json', value: { success: true, exitCode: 0, stdout: 'from below\n', stderr: '' } },
          },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'The sandbox answers.' }] },
    ],
  })
  // The texts and calls of a sub-agent are in its outputs, not in the parts of the answer.
  expect(listTypes(transcript).filter((type) => type === 'tool-input-available')).toHaveLength(1)
  expect(shownText(transcript)).toBe('task answered:\n\nThe sandbox answers.')
  const part = (await readStoredParts(chat, transcript)).find((one) => one['type'] === 'tool-task')
  expect(part).toMatchObject({ state: 'output-available', output: last })
  expect(part).not.toHaveProperty('preliminary')
  const usage = await listUsage(runId)
  expect(usage).toMatchObject([
    { agent: 'main', model: 'local/assistant', tools: 1, reference: `chat:${runId}:main:local/assistant` },
    { agent: 'subagent', model: 'local/assistant', tools: 1, reference: `chat:${runId}:subagent:local/assistant` },
  ])
  expect(usage[1]).toMatchObject({ input: readTokens(last, 'inputTokens'), output: readTokens(last, 'outputTokens') })
  expect(await world.db`select 1 from credit_ledger where reference like ${`chat:${runId}:%`}`).toHaveLength(2)
  expect(await countRows()).toBe(0)
})

/** Returns a task that waits for the file of another task, so that two such tasks end only if they run concurrently. */
const taskWaitingFor = (mine: string, other: string): string =>
  `@task $ touch ${mine}; until test -e ${other}; do sleep 0.1; done ;; --- ;; @say ${mine} met ${other}`

test('sub-agents of a step run concurrently in the same sandbox and are charged together', async () => {
  const chat = await chatApi.openChat()
  const response = await chatApi.post(chat, `${taskWaitingFor('a', 'b')}\n${taskWaitingFor('b', 'a')}`)
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const transcript = await readTranscript(response)
  expect(listFaults(transcript)).toEqual([])
  expect(shownText(transcript)).toContain('a met b')
  expect(shownText(transcript)).toContain('b met a')
  await readStoredParts(chat, transcript)
  const usage = await listUsage(runId)
  expect(usage.map(({ agent, tools }) => [agent, tools])).toEqual([
    ['main', 2],
    ['subagent', 2],
  ])
  const sum = listFinals(transcript).reduce((tokens, output) => tokens + readTokens(output, 'inputTokens'), 0)
  expect(usage[1]?.input).toBe(sum)
})

test('a sub-agent cannot call the task, question or unknown tools, and continues after such calls', async () => {
  const chat = await chatApi.openChat()
  const lines = [
    '@ask Really?',
    '@call task {"task":"x","instructions":"@say y"}',
    '@garbage-call',
    '---',
    '@say I went on.',
  ]
  const transcript = await chatApi.send(chat, `@task ${lines.join(' ;; ')}`)
  expect(listFaults(transcript)).toEqual([])
  const [output] = listFinals(transcript)
  const text = JSON.stringify(output?.['final'])
  expect(text).toContain('There is no tool named ask_user_question')
  expect(text).toContain('There is no tool named task')
  expect(text).toContain('There is no tool named no_such_tool')
  expect(output).toMatchObject({ toolCallCount: 0 })
  expect(shownText(transcript)).toBe('task answered:\n\nI went on.')
})

test.each([
  ['fails permanently', '@badrequest'],
  ['fails at every attempt', '@fail'],
])('a sub-agent whose model %s returns an error to its parent, and the turn continues', async (_, directive) => {
  const chat = await chatApi.openChat()
  const response = await chatApi.post(chat, `@task $ true ;; --- ;; ${directive}`)
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const transcript = await readTranscript(response)
  expect(listFaults(transcript)).toEqual([])
  expect(listFinals(transcript)).toEqual([{ success: false, error: 'The model call of the sub-agent failed' }])
  expect(listFrames(transcript).at(-1)).toMatchObject({ finishReason: 'stop' })
  await readStoredParts(chat, transcript)
  // The completed call is charged.
  expect((await listUsage(runId)).map(({ agent, tools }) => [agent, tools])).toEqual([
    ['main', 1],
    ['subagent', 1],
  ])
})

test('an interrupted model response is repeated, and its partial text is discarded', async () => {
  const chat = await chatApi.openChat()
  const transcript = await chatApi.send(chat, '@task @cut 2 ;; @say Whole at last, after a break.')
  expect(listFaults(transcript)).toEqual([])
  expect(listTypes(transcript)).not.toContain('data-retract')
  const [output] = listFinals(transcript)
  expect(output?.['final']).toEqual([
    { role: 'assistant', content: [{ type: 'text', text: 'Whole at last, after a break.' }] },
  ])
})

test('the sub-agent receives a failed command and a failed file read as tool results', async () => {
  const chat = await chatApi.openChat()
  const transcript = await chatApi.send(chat, '@task $ exit 3 ;; @read nowhere.txt')
  const text = JSON.stringify(listFinals(transcript)[0]?.['final'])
  expect(text).toContain('"exitCode":3')
  expect(text).toContain('"success":false,"error"')
  expect(listFrames(transcript).at(-1)).toMatchObject({ finishReason: 'stop' })
})

test('an invalid input of the task tool starts no sub-agent', async () => {
  const chat = await chatApi.openChat()
  const transcript = await chatApi.send(chat, '@call task {"task":"only a name"}')
  const error = listFrames(transcript).find((frame) => frame.type === 'tool-input-error')
  expect(error?.['errorText']).toContain('instructions')
  expect(listOutputs(listFrames(transcript))).toEqual([])
})

const stopped = { type: 'finish', finishReason: 'other', messageMetadata: { endReason: 'stopped' } }

test('a stop while a sub-agent runs a command kills the command and cancels the call', async () => {
  const chat = await chatApi.openChat()
  const response = await chatApi.post(chat, '@task $ sleep 60; echo survived > survived.txt')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const reading = readTranscript(response)
  await untilFound(
    'the command',
    () => world.db`
      select 1 from run_sub_agent_calls where run_id = ${runId} and started_at is not null`,
  )
  // A reload now shows the state of the frames so far.
  const shown = (await chatApi.load(chat)).messages[1]?.parts.find((one) => one['type'] === 'tool-task')
  expect(shown).toMatchObject({
    state: 'output-available',
    preliminary: true,
    output: { toolCallCount: 1, pending: { name: 'bash' } },
  })
  expect((await chatApi.stop(chat)).status).toBe(200)
  const transcript = await reading
  expect(listFaults(transcript)).toEqual([])
  const frames = listFrames(transcript)
  expect(frames.slice(-4)).toEqual([
    expect.objectContaining({ type: 'tool-output-error', errorText: 'Cancelled' }),
    { type: 'finish-step' },
    { type: 'abort', reason: 'user' },
    stopped,
  ])
  const part = (await readStoredParts(chat, transcript)).find((one) => one['type'] === 'tool-task')
  expect(part).toEqual(expect.not.objectContaining({ output: expect.anything(), preliminary: true }))
  const after = await chatApi.send(chat, '$ pgrep sleep || echo gone; ls survived.txt || true')
  expect(JSON.stringify(listFrames(after))).toContain('gone')
  expect(await countRows()).toBe(0)
})

test('a stop during the model call of a sub-agent ends the call and charges an estimate', async () => {
  const chat = await chatApi.openChat()
  const response = await chatApi.post(chat, '@task @stall')
  const runId = response.headers.get('x-workflow-run-id') ?? ''
  const reading = readTranscript(response)
  await untilFound(
    'the model call',
    () => world.db`
      select 1 from run_sub_agent_steps where run_id = ${runId} and output_characters > 0`,
  )
  expect((await chatApi.stop(chat)).status).toBe(200)
  const transcript = await reading
  expect(listFaults(transcript)).toEqual([])
  expect(listFrames(transcript).at(-1)).toEqual(stopped)
  const usage = await listUsage(runId)
  expect(usage.map(({ agent }) => agent)).toEqual(['main', 'subagent'])
  expect(usage[1]?.input).toBeGreaterThan(0)
  expect(usage[1]?.output).toBeGreaterThan(0)
})

test('a headless run can start sub-agents', async () => {
  const { key } = await world.makeAccount()
  const body = { prompt: '@task @say below' }
  const started = await world.request<{ runId: string; chatId: string; sessionId: string }>('POST', '/api/chat/runs', {
    key,
    body,
  })
  await eventually(
    'the end of the run',
    async () => {
      const run = await world.request<{ status: string }>('GET', `/api/chat/runs/${started.body.runId}`, { key })
      return run.body.status === 'completed' || undefined
    },
    30_000,
  )
  expect(await listUsage(started.body.runId)).toHaveLength(2)
})
