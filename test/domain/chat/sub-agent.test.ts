import { expect, test } from 'vitest'
import { finalMessages } from '../../../activities/chat/sub-agent-output.ts'
import { offerTools } from '../../../activities/tools/index.ts'
import type { MessagePart } from '../../../domain/chat/messages.ts'
import { toPrompt } from '../../../domain/chat/prompt/prompt.ts'
import { shortenInput, subAgentPrompt, withOutputs } from '../../../domain/chat/sub-agent.ts'

const call = (id: string, state: object): MessagePart => ({
  type: 'tool-bash',
  toolCallId: id,
  input: { command: 'true' },
  state: 'input-available',
  ...state,
})

const step = (id: string, output: unknown): MessagePart[] => [
  { type: 'step-start' },
  call(id, { state: 'output-available', output }),
]

const text = (value: string): MessagePart[] => [{ type: 'step-start' }, { type: 'text', text: value, state: 'done' }]

/** Returns what the prompt of the parent agent contains for this task output. */
const describeForParent = (output: object) => {
  const part = { type: 'tool-task', toolCallId: 'c', state: 'output-available', input: {}, output }
  const result = toPrompt([{ role: 'assistant', parts: [part] }])[1]
  return result?.role === 'tool' && result.content[0]?.type === 'tool-result' ? result.content[0].output : undefined
}

const headless = offerTools({ isSubAgent: false, headless: true, hasSkills: false })

test('a sub-agent is offered only sandbox tools', () => {
  const names = offerTools({ isSubAgent: true, headless: true, hasSkills: true }).definitions.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['bash', 'read', 'write']))
  expect(names).not.toContain('task')
  expect(names).not.toContain('todo')
  expect(names).not.toContain('ask_user_question')
  expect(headless.definitions.map(({ name }) => name)).toContain('task')
})

test.each([{}, { task: 'x' }, { task: '', instructions: 'y' }, { task: 'x', instructions: 1 }])(
  'the task tool rejects %j',
  (input) => {
    expect(headless.checkInput('task', input)).toMatchObject({ ok: false })
  },
)

test('the prompt of a sub-agent contains its task and its steps with the outputs of its calls', () => {
  const parts = withOutputs(
    [{ type: 'step-start' }, call('a', {}), call('b', {})],
    [{ toolCallId: 'a', output: { ok: 1 } }],
  )
  const context = { workingDirectory: '/workspace', accountId: 'the-account', artistId: null }
  const { system, history } = subAgentPrompt(context, { task: 'Look', instructions: 'Look around' }, parts)
  expect(system).toContain('the-account')
  expect(system).toContain('You are a sub-agent')
  expect(history[0]).toEqual({ role: 'user', content: [{ type: 'text', text: 'Look\n\nLook around' }] })
  expect(history[2]?.content).toMatchObject([
    { toolCallId: 'a', output: { type: 'json', value: { ok: 1 } } },
    { toolCallId: 'b', output: { type: 'error-text', value: 'interrupted' } },
  ])
})

test('long texts of an input are truncated at whole characters', () => {
  const shown = shortenInput({ content: '😀'.repeat(5000), filePath: 'a.txt', list: ['x'.repeat(3000), 1, null] })
  expect(shown).toEqual({
    content: `${'😀'.repeat(1000)}…`,
    filePath: 'a.txt',
    list: [`${'x'.repeat(2000)}…`, 1, null],
  })
  expect(shortenInput(`x${'😀'.repeat(5000)}`)).toBe(`x${'😀'.repeat(999)}…`)
})

test('the final messages are complete if they fit', () => {
  const parts = [...step('a', { success: true }), ...text('done')]
  expect(finalMessages(parts)).toEqual(toPrompt([{ role: 'assistant', parts }]))
  expect(finalMessages([])).toEqual([])
})

test('the last final messages that fit into 200 kB are kept, each result with its call', () => {
  const large = { stdout: 'x'.repeat(60_000) }
  const parts = [...['a', 'b', 'c', 'd', 'e'].flatMap((id) => step(id, large)), ...text('the end')]
  const final = finalMessages(parts)
  expect(Buffer.byteLength(JSON.stringify(final))).toBeLessThan(200_000)
  expect(final.map(({ role }) => role)).toEqual([
    'assistant',
    'tool',
    'assistant',
    'tool',
    'assistant',
    'tool',
    'assistant',
  ])
  expect(JSON.stringify(final)).not.toContain('"b"')
  expect(describeForParent({ final })).toEqual({ type: 'text', value: 'the end' })
})

test('a last text that exceeds the limit is truncated, and the parent reads its start', () => {
  const final = finalMessages([...step('a', {}), ...text(`Begin ${'"ä'.repeat(200_000)}`)])
  expect(Buffer.byteLength(JSON.stringify({ final, toolCallCount: 30 }))).toBeLessThan(200_000)
  expect(Buffer.byteLength(JSON.stringify(final))).toBeGreaterThan(190_000)
  expect(describeForParent({ final })?.type === 'text' && JSON.stringify(describeForParent({ final }))).toContain(
    'Begin ',
  )
})

test('a last step of calls with too much output keeps no final messages, and the parent receives a fixed text', () => {
  const many = Array.from({ length: 4 }, (_, at) =>
    call(`c${at}`, { state: 'output-available', output: 'x'.repeat(60_000) }),
  )
  const final = finalMessages([{ type: 'step-start' }, ...many])
  expect(final).toEqual([])
  expect(describeForParent({ final })).toEqual({ type: 'text', value: 'Sub-task finished' })
})
