import type { LanguageModelV3Message, LanguageModelV3ToolResultOutput } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { ModelError, type ModelCall, type ModelPart, type PartHandler } from '../../../providers/model/index.ts'
import { createLocalModel } from '../../../providers/model/local.ts'

const unlimitedModel = createLocalModel({ wordsPerSecond: 0, contextWindow: 100_000 })
const tools = ['bash', 'read', 'write', 'ask_user_question'].map((name) => ({
  type: 'function' as const,
  name,
  inputSchema: { type: 'object' as const },
}))
const user = (text: string): LanguageModelV3Message => ({ role: 'user', content: [{ type: 'text', text }] })
const createStep = (...outputs: LanguageModelV3ToolResultOutput[]): LanguageModelV3Message[] => [
  {
    role: 'assistant',
    content: outputs.map((_, index) => ({ type: 'tool-call', toolCallId: `c${index}`, toolName: 'bash', input: {} })),
  },
  {
    role: 'tool',
    content: outputs.map((output, index) => ({
      type: 'tool-result',
      toolCallId: `c${index}`,
      toolName: 'bash',
      output,
    })),
  },
]
const createCall = (...prompt: LanguageModelV3Message[]): ModelCall => ({ modelId: 'local/assistant', prompt, tools })

const pushTo =
  (parts: ModelPart[]): PartHandler =>
  (part) => {
    parts.push(part)
    return undefined
  }

const collect = async (
  request: ModelCall,
  { signal = new AbortController().signal, model = unlimitedModel } = {},
): Promise<ModelPart[]> => {
  const parts: ModelPart[] = []
  await model.stream(request, signal, pushTo(parts))
  return parts
}
const readRetryable = async (request: ModelCall): Promise<boolean | 'none'> =>
  collect(request).then(
    () => 'none' as const,
    (error: unknown) => (error instanceof ModelError ? error.retryable : 'none'),
  )
const joinDeltas = (parts: ModelPart[], type: 'text-delta' | 'reasoning-delta' = 'text-delta'): string =>
  parts.map((part) => (part.type === type ? part.delta : '')).join('')
const listCalls = (parts: ModelPart[]) =>
  parts
    .filter((part) => part.type === 'tool-call')
    .map(({ toolName, input }) => ({ toolName, input: JSON.parse(input) as unknown }))
const readFinishReason = (parts: ModelPart[]): string | undefined => {
  const last = parts.at(-1)
  return last?.type === 'finish' ? last.finishReason.unified : undefined
}

describe('the embedded model', () => {
  it('repeats its prompt and the number of visible messages, deterministically', async () => {
    const request = createCall({ role: 'system', content: 'x' }, user('How are you?'))
    const parts = await collect(request)
    expect(joinDeltas(parts)).toContain('You said: "How are you?" I can see 1 message of this chat.')
    expect(await collect(request)).toEqual(parts)
    expect(readFinishReason(parts)).toBe('stop')
  })

  it('counts four characters as a token', async () => {
    const request = createCall(user('@words 3'))
    const last = (await collect(request)).at(-1)
    expect(last).toMatchObject({
      usage: {
        inputTokens: { total: Math.ceil(JSON.stringify(request.prompt).length / 4) },
        outputTokens: { total: Math.ceil('word-1 word-2 word-3'.length / 4) },
      },
    })
  })

  it('calls the tools of its directives in parallel', async () => {
    const parts = await collect(
      createCall(user('Please:\n$ echo one\n$ echo two\n@read a.txt\n@write b.txt hello  you')),
    )
    expect(listCalls(parts)).toEqual([
      { toolName: 'bash', input: { command: 'echo one' } },
      { toolName: 'bash', input: { command: 'echo two' } },
      { toolName: 'read', input: { filePath: 'a.txt' } },
      { toolName: 'write', input: { filePath: 'b.txt', content: 'hello  you\n' } },
    ])
    expect(readFinishReason(parts)).toBe('tool-calls')
  })

  it('reports the results of the tools', async () => {
    const results: LanguageModelV3ToolResultOutput[] = [
      { type: 'json', value: { success: true, stdout: 'one\n' } },
      { type: 'error-text', value: 'Cancelled' },
    ]
    const parts = await collect(createCall(user('$ echo one\n$ sleep 9'), ...createStep(...results)))
    expect(joinDeltas(parts)).toContain('one')
    expect(joinDeltas(parts)).toContain('Cancelled')
    expect(readFinishReason(parts)).toBe('stop')
  })

  it('performs the steps of a script in order', async () => {
    const script = user('$ a\n---\n$ b\n---\n@say done')
    const result = createStep({ type: 'text', value: '' })
    const listCommands = async (...since: LanguageModelV3Message[]) =>
      listCalls(await collect(createCall(script, ...since)))
    expect(await listCommands()).toEqual([{ toolName: 'bash', input: { command: 'a' } }])
    expect(await listCommands(...result)).toEqual([{ toolName: 'bash', input: { command: 'b' } }])
    expect(joinDeltas(await collect(createCall(script, ...result, ...result)))).toBe('done')
  })

  it('calls a tool in every step if its directive is a loop', async () => {
    const since = Array.from({ length: 7 }, () => createStep({ type: 'text', value: '' })).flat()
    expect(listCalls(await collect(createCall(user('@loop'), ...since)))).toEqual([
      { toolName: 'bash', input: { command: 'true' } },
    ])
  })

  it('asks the user a question', async () => {
    expect(listCalls(await collect(createCall(user('@ask Which one? red | blue'))))).toEqual([
      {
        toolName: 'ask_user_question',
        input: {
          questions: [
            {
              question: 'Which one?',
              header: 'Question',
              options: [
                { label: 'red', description: 'Choose red' },
                { label: 'blue', description: 'Choose blue' },
              ],
              multiSelect: false,
            },
          ],
        },
      },
    ])
  })

  it('calls no tool if none is offered', async () => {
    const parts = await collect({ ...createCall(user('$ ls')), tools: [] })
    expect(listCalls(parts)).toEqual([])
    expect(readFinishReason(parts)).toBe('stop')
  })

  it('can make invalid calls', async () => {
    const parts = await collect(createCall(user('@garbage-call')))
    expect(parts.filter((part) => part.type === 'tool-call').map((part) => part.input)).toEqual([
      '{"command":42}',
      '{"command": "echo',
      '{}',
    ])
  })

  it('emits reasoning before its text', async () => {
    const parts = await collect(createCall(user('@think so be it\n@say Yes')))
    expect(joinDeltas(parts, 'reasoning-delta')).toBe('so be it')
    expect(joinDeltas(parts)).toBe('Yes')
  })

  it('ignores text that only looks like a directive', async () => {
    const parts = await collect(createCall(user('write to me@fail or @unknown thing, it costs $ 5')))
    expect(joinDeltas(parts)).toContain('@unknown')
    expect(readFinishReason(parts)).toBe('stop')
  })
})

describe('the embedded model with a failure directive', () => {
  it('fails on every attempt', async () => {
    for (let attempt = 0; attempt < 4; attempt++) expect(await readRetryable(createCall(user('@fail')))).toBe(true)
    expect(await readRetryable(createCall(user('@badrequest')))).toBe(false)
  })

  it('fails as often as the directive states, then succeeds once, and then repeats this cycle', async () => {
    const request = createCall(user('@fail 2\nunique one'))
    const outcomes = []
    for (let attempt = 0; attempt < 6; attempt++) outcomes.push(await readRetryable(request))
    expect(outcomes).toEqual([true, true, 'none', true, true, 'none'])
  })

  it('cuts its stream once', async () => {
    const request = createCall(user('@words 10\n@cut 4'))
    const parts: ModelPart[] = []
    const work = unlimitedModel.stream(request, new AbortController().signal, pushTo(parts))
    await expect(work).rejects.toBeInstanceOf(ModelError)
    expect(joinDeltas(parts)).toBe('word-1 word-2 word-3 word-4')
    expect(joinDeltas(await collect(request))).toMatch(/word-10$/)
  })

  it('hangs until it is aborted, then rejects with the abort reason', async () => {
    const controller = new AbortController()
    const abortReason = new Error('enough')
    const parts: ModelPart[] = []
    const work = unlimitedModel.stream(createCall(user('@stall')), controller.signal, pushTo(parts))
    await expect.poll(() => joinDeltas(parts)).not.toBe('')
    controller.abort(abortReason)
    await expect(work).rejects.toBe(abortReason)
  })
})

const measureMs = async (wordsPerSecond: number, wordCount: number) => {
  const model = createLocalModel({ wordsPerSecond, contextWindow: 1000 })
  const start = performance.now()
  const parts = await collect(createCall(user(`@words ${wordCount}`)), { model })
  expect(joinDeltas(parts).split(' ')).toHaveLength(wordCount)
  return performance.now() - start
}

describe('the pace of the embedded model', () => {
  it.each([
    [50, 11, 200],
    [5000, 1000, 199.8],
  ])('is %i words a second and does not drift', async (speed, wordCount, expected) => {
    const elapsedMs = await measureMs(speed, wordCount)
    expect(elapsedMs).toBeGreaterThan(expected * 0.95)
    expect(elapsedMs).toBeLessThan(expected * 2 + 100)
  })

  it('is unlimited at 0 words a second and does not block the event loop', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    await measureMs(0, 100_000)
    clearInterval(timer)
    expect(turns).toBeGreaterThan(3)
  })

  it('does not delay an abort', async () => {
    const model = createLocalModel({ wordsPerSecond: 0.1, contextWindow: 1000 })
    const controller = new AbortController()
    const work = collect(createCall(user('@words 10')), { model, signal: controller.signal })
    setTimeout(() => controller.abort(new Error('stop')), 20)
    const start = performance.now()
    await expect(work).rejects.toThrow('stop')
    expect(performance.now() - start).toBeLessThan(1000)
  })
})
