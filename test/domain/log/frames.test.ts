import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { jsonSchema, streamText, tool } from 'ai'
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createFramer, joinDeltas, ModelStreamError, type Frame } from '../../../domain/log/frames.ts'
import type { CheckInput } from '../../../domain/tools/inputs.ts'

const schemas: Record<string, z.ZodType> = {
  bash: z.object({ command: z.string() }),
  read: z.object({ filePath: z.string(), offset: z.number().default(1) }),
}
const checkInput: CheckInput = (name, input) => {
  const schema = schemas[name]
  if (schema === undefined) return undefined
  const parsed = schema.safeParse(input)
  return parsed.success ? { ok: true, input: parsed.data } : { ok: false, error: parsed.error.issues[0]?.message ?? '' }
}

const framer = () => {
  let made = 0
  return createFramer({ step: 2, attempt: 1, newToolCallId: () => `call_${made++}`, checkInput })
}

const usage = {
  inputTokens: { total: 10, noCache: 4, cacheRead: 6, cacheWrite: undefined },
  outputTokens: { total: 5, text: 3, reasoning: 2 },
}
type Reason = Extract<LanguageModelV3StreamPart, { type: 'finish' }>['finishReason']['unified']
const finish = (unified: Reason = 'stop', more: object = {}): LanguageModelV3StreamPart => ({
  type: 'finish',
  finishReason: { unified, raw: `raw-${unified}` },
  usage,
  ...more,
})
const text = (id: string, ...deltas: string[]): LanguageModelV3StreamPart[] => [
  { type: 'text-start', id },
  ...deltas.map((delta) => ({ type: 'text-delta' as const, id, delta })),
  { type: 'text-end', id },
]
const toolCall = (id: string, toolName: string, input: string): LanguageModelV3StreamPart[] => [
  { type: 'tool-input-start', id, toolName },
  { type: 'tool-input-delta', id, delta: input },
  { type: 'tool-input-end', id },
  { type: 'tool-call', toolCallId: id, toolName, input },
]

const run = (parts: LanguageModelV3StreamPart[]) => {
  const one = framer()
  const frames = parts.flatMap((part) => one.push(part))
  const ended = one.end()
  return { frames: [...frames, ...ended.frames], outcome: ended.outcome }
}

/**
 * Returns the frames that the AI SDK sends for these parts, without the frames around a step, which the framer does not send.
 */
const referenceFrames = async (parts: LanguageModelV3StreamPart[]): Promise<Frame[]> => {
  const result = streamText({
    model: new MockLanguageModelV3({
      doStream: async () => ({ stream: simulateReadableStream({ chunks: parts, chunkDelayInMs: null }) }),
    }),
    prompt: 'x',
    onError: () => undefined,
    tools: Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [
        name,
        tool({
          inputSchema: jsonSchema(z.toJSONSchema(schema, { io: 'input' }) as object, {
            validate: (value) => {
              const parsed = schema.safeParse(value)
              return parsed.success ? { success: true, value: parsed.data } : { success: false, error: parsed.error }
            },
          }),
        }),
      ]),
    ),
  })
  const frames: Frame[] = []
  for await (const frame of result.toUIMessageStream({ sendSources: true })) frames.push({ ...frame })
  // The SDK also adds an output to a rejected call. Here, the input error is the result.
  const omittedTypes = new Set(['start', 'start-step', 'finish-step', 'finish', 'tool-output-error'])
  return frames.filter((frame) => !omittedTypes.has(frame.type))
}

/** Numbers ids by first appearance, and removes error texts and the SDK's flag of rejected calls. */
const normalize = (frames: Frame[]): Frame[] => {
  const names = new Map<unknown, string>()
  const renumber = (id: unknown): string => {
    const name = names.get(id) ?? `id-${names.size}`
    names.set(id, name)
    return name
  }
  return frames.map((frame) => {
    const { dynamic: _, errorText, ...rest } = frame
    return {
      ...rest,
      ...('id' in rest && { id: renumber(rest['id']) }),
      ...('toolCallId' in rest && { toolCallId: renumber(rest['toolCallId']) }),
      ...(errorText !== undefined && { errorText: 'refused' }),
    }
  })
}

const cases: [string, LanguageModelV3StreamPart[]][] = [
  ['text', [...text('a', 'The catalog ', 'holds 42 songs.'), finish()]],
  ['two texts', [...text('a', 'one'), ...text('b', 'two'), finish()]],
  ['one id used twice', [...text('a', 'one'), ...text('a', 'two'), finish()]],
  [
    'interleaved texts',
    [
      { type: 'text-start', id: 'a' },
      { type: 'text-start', id: 'b' },
      { type: 'text-delta', id: 'a', delta: '1' },
      { type: 'text-delta', id: 'b', delta: '2' },
      { type: 'text-end', id: 'b' },
      { type: 'text-end', id: 'a' },
      finish(),
    ],
  ],
  ['an empty delta', [...text('a', 'one', '', 'two'), finish()]],
  ['a text without deltas', [...text('a'), finish()]],
  [
    'reasoning with a signature',
    [
      { type: 'reasoning-start', id: 'r', providerMetadata: { vendor: { kind: 'x' } } },
      { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
      { type: 'reasoning-end', id: 'r', providerMetadata: { vendor: { signature: 'abc' } } },
      ...text('a', 'Yes'),
      finish(),
    ],
  ],
  ['a tool call', [...toolCall('v1', 'bash', '{"command":"ls"}'), finish('tool-calls')]],
  ['a tool call with default inputs', [...toolCall('v1', 'read', '{"filePath":"a"}'), finish('tool-calls')]],
  [
    'parallel tool calls',
    [...toolCall('v1', 'bash', '{"command":"a"}'), ...toolCall('v2', 'bash', '{"command":"b"}'), finish('tool-calls')],
  ],
  [
    'a tool call without a start',
    [{ type: 'tool-call', toolCallId: 'v', toolName: 'bash', input: '{"command":"a"}' }, finish('tool-calls')],
  ],
  ['an input that fails the schema', [...toolCall('v', 'bash', '{"command":42}'), finish('tool-calls')]],
  ['an input that is not JSON', [...toolCall('v', 'bash', '{"command"'), finish('tool-calls')]],
  ['an unknown tool', [...toolCall('v', 'launch', '{}'), finish('tool-calls')]],
  [
    'sources and a file',
    [
      { type: 'source', sourceType: 'url', id: 's1', url: 'https://example.com', title: 'Example' },
      { type: 'source', sourceType: 'document', id: 's2', mediaType: 'text/plain', title: 'Doc', filename: 'd.txt' },
      { type: 'file', mediaType: 'image/png', data: 'aGk=' },
      { type: 'file', mediaType: 'image/png', data: new Uint8Array([104, 105]) },
      finish(),
    ],
  ],
  [
    'parts with metadata of the call',
    [
      { type: 'stream-start', warnings: [] },
      { type: 'response-metadata', id: 'x', modelId: 'm' },
      ...text('a', 'x'),
      finish(),
    ],
  ],
]

describe('the frames of a model call', () => {
  it.each(cases)('equal those of the AI SDK for %s', async (_, parts) => {
    expect(normalize(run(parts).frames)).toEqual(normalize(await referenceFrames(parts)))
  })

  it('have ids that consist of step, attempt and position', () => {
    const { frames } = run([...text('0', 'a'), ...text('0', 'b'), { type: 'reasoning-start', id: '0' }, finish()])
    expect(frames.map((frame) => frame['id'])).toEqual([
      'txt_2_1_0',
      'txt_2_1_0',
      'txt_2_1_0',
      'txt_2_1_1',
      'txt_2_1_1',
      'txt_2_1_1',
      'rsn_2_1_0',
      'rsn_2_1_0',
    ])
  })

  it('have unique tool call ids, even if the vendor repeats its ids', () => {
    const { frames, outcome } = run([
      ...toolCall('same', 'bash', '{"command":"a"}'),
      ...toolCall('same', 'bash', '{"command":"b"}'),
      finish('tool-calls'),
    ])
    expect(outcome.toolCalls.map((call) => call.toolCallId)).toEqual(['call_0', 'call_1'])
    expect(new Set(frames.map((frame) => frame['toolCallId']))).toEqual(new Set(['call_0', 'call_1']))
  })

  it('contain no NUL and no lone surrogates', () => {
    const { frames, outcome } = run([
      ...text('a', 'a\0b', 'c\ud83c', '\udfb5d', 'e\ud83c'),
      ...toolCall('v', 'bash', '{"command":"a\\u0000b\\ud83c"}'),
      finish('tool-calls'),
    ])
    const deltas = frames.filter((frame) => frame.type === 'text-delta').map((frame) => String(frame['delta']))
    expect(deltas.join('')).toBe('a\uFFFDbc🎵de\uFFFD')
    expect(deltas.every((delta) => !/[\0]|\p{Surrogate}/u.test(delta))).toBe(true)
    expect(outcome.toolCalls[0]?.input).toEqual({ command: 'a\uFFFDb\uFFFD' })
  })

  it('close every open part at the end', () => {
    const { frames, outcome } = run([
      { type: 'text-start', id: 'a' },
      { type: 'reasoning-start', id: 'r' },
      { type: 'tool-input-start', id: 'v', toolName: 'bash' },
      { type: 'tool-input-delta', id: 'v', delta: '{"comm' },
      finish('length'),
    ])
    expect(frames.slice(-3).map((frame) => frame.type)).toEqual(['text-end', 'reasoning-end', 'tool-input-error'])
    expect(outcome.toolCalls).toEqual([{ toolCallId: 'call_0', toolName: 'bash', input: '{"comm', invalid: true }])
    expect(outcome.finishReason).toBe('length')
  })

  it('omit tool calls that the vendor executes', () => {
    const { frames, outcome } = run([
      { type: 'tool-input-start', id: 'v', toolName: 'search', providerExecuted: true },
      { type: 'tool-input-delta', id: 'v', delta: '{}' },
      { type: 'tool-call', toolCallId: 'v', toolName: 'search', input: '{}', providerExecuted: true },
      { type: 'tool-result', toolCallId: 'v', toolName: 'search', result: {} },
      finish(),
    ])
    expect([frames, outcome.toolCalls]).toEqual([[], []])
  })
})

describe('the outcome of a model call', () => {
  it('has usage, price and finish reasons', () => {
    const { outcome } = run([...text('a', 'x'), finish('stop', { providerMetadata: { gateway: { cost: '0.0042' } } })])
    expect(outcome).toEqual({
      finishReason: 'stop',
      rawFinishReason: 'raw-stop',
      goesOn: false,
      usage: {
        inputTokens: 10,
        inputTokenDetails: { noCacheTokens: 4, cacheReadTokens: 6 },
        outputTokens: 5,
        outputTokenDetails: { textTokens: 3, reasoningTokens: 2 },
        totalTokens: 15,
      },
      costUsd: 0.0042,
      toolCalls: [],
    })
  })

  it.each<[Reason, boolean, string, boolean]>([
    ['stop', true, 'tool-calls', true],
    ['other', true, 'tool-calls', true],
    ['tool-calls', true, 'tool-calls', true],
    ['length', true, 'length', true],
    ['length', false, 'length', false],
    ['content-filter', true, 'content-filter', false],
    ['error', true, 'error', false],
    ['tool-calls', false, 'stop', false],
    ['content-filter', false, 'content-filter', false],
  ])('for %s with tool calls (%s) is %s, and the turn continues: %s', (reason, hasCalls, expected, goesOn) => {
    const parts = hasCalls ? toolCall('v', 'bash', '{"command":"a"}') : text('a', 'x')
    expect(run([...parts, finish(reason)]).outcome).toMatchObject({ finishReason: expected, goesOn })
  })

  it('is determined by the first finish part', () => {
    expect(run([finish('length'), finish('stop')]).outcome.finishReason).toBe('length')
  })

  it('is an error without a finish part or after an error part', () => {
    expect(() => run(text('a', 'x'))).toThrow(ModelStreamError)
    expect(() => run([{ type: 'error', error: new Error('overloaded') }, finish()])).toThrow(ModelStreamError)
  })
})

describe('joining deltas', () => {
  it('combines only adjacent deltas of one part', () => {
    expect(
      joinDeltas([
        { type: 'text-start', id: 'a' },
        { type: 'text-delta', id: 'a', delta: '1' },
        { type: 'text-delta', id: 'a', delta: '2' },
        { type: 'text-delta', id: 'b', delta: '3' },
        { type: 'reasoning-delta', id: 'b', delta: '4' },
        { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '5' },
        { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '6' },
        { type: 'tool-input-delta', toolCallId: 'd', inputTextDelta: '7' },
      ]),
    ).toEqual([
      { type: 'text-start', id: 'a' },
      { type: 'text-delta', id: 'a', delta: '12' },
      { type: 'text-delta', id: 'b', delta: '3' },
      { type: 'reasoning-delta', id: 'b', delta: '4' },
      { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '56' },
      { type: 'tool-input-delta', toolCallId: 'd', inputTextDelta: '7' },
    ])
  })

  it('never exceeds the maximum frame size', () => {
    const piece = { type: 'text-delta', id: 'a', delta: 'x'.repeat(1000) }
    const joined = joinDeltas(Array.from({ length: 100 }, () => piece))
    expect(joined.map((frame) => String(frame['delta'])).join('')).toHaveLength(100_000)
    expect(Math.max(...joined.map((frame) => String(frame['delta']).length))).toBe(16_000)
  })
})
