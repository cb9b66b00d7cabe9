import { readUIMessageStream, type UIMessageChunk } from 'ai'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { closingFrames, foldFrames, openParts, type IndexedFrame } from '../../../domain/log/fold.ts'
import type { Frame } from '../../../domain/log/frames.ts'

const indexed = (frames: Frame[]): IndexedFrame[] => frames.map((frame, index) => ({ index, frame }))
const fold = (frames: Frame[]) => foldFrames(indexed(frames))
const open = (frames: Frame[]) => openParts(indexed(frames))

/** Returns the message that the AI SDK client builds from these frames. */
const clientMessage = async (frames: Frame[]): Promise<{ parts: object[]; metadata: object }> => {
  const stream = new ReadableStream<UIMessageChunk>({
    start: (controller) => {
      for (const frame of frames) controller.enqueue(JSON.parse(JSON.stringify(frame)) as UIMessageChunk)
      controller.close()
    },
  })
  let last: unknown
  for await (const message of readUIMessageStream({ stream, terminateOnError: false, onError: () => undefined }))
    last = message
  const { parts, metadata } = (last ?? { parts: [], metadata: undefined }) as {
    parts: Record<string, unknown>[]
    metadata?: object
  }
  return { parts: parts.map(asStored), metadata: metadata ?? {} }
}

/** Converts a message part of the client to its stored form, without the raw input and the ids of reasoning. */
const asStored = (part: Record<string, unknown>): object => {
  const { rawInput, id, ...rest } = part
  const kept = part['type'] === 'reasoning' || id === undefined ? rest : { ...rest, id }
  const input = part['state'] === 'output-error' && rest['input'] === undefined ? { input: rawInput } : {}
  return JSON.parse(JSON.stringify({ ...kept, ...input })) as object
}

type Action =
  | { do: 'text' | 'reasoning' | 'end' | 'call' | 'run' | 'step' | 'commit' | 'source' | 'metadata' }
  | { do: 'delta'; text: string }

const action: fc.Arbitrary<Action> = fc.oneof(
  fc
    .constantFrom('text', 'reasoning', 'end', 'call', 'run', 'step', 'commit', 'source', 'metadata')
    .map((name): Action => ({ do: name })),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }).map((text) => ({ do: 'delta' as const, text })),
)

/** Returns the frames that a run with these actions writes. */
const write = (actions: readonly Action[]): Frame[] => {
  const frames: Frame[] = [{ type: 'start', messageId: 'm1' }, { type: 'start-step' }]
  let texts: { id: string; kind: string }[] = []
  let calls: { id: string; stage: number }[] = []
  let count = 0
  const endAll = (): void => {
    frames.push(...closingFrames(open(frames), { toolError: 'Interrupted' }))
    texts = []
    calls = []
  }
  const steps: Record<string, () => void> = {
    text: () => openText('text'),
    reasoning: () => openText('reasoning'),
    end: () => {
      const part = texts.pop()
      if (part !== undefined) frames.push({ type: `${part.kind}-end`, id: part.id })
    },
    call: () => {
      const id = `call_${count++}`
      calls.push({ id, stage: 0 })
      frames.push({ type: 'tool-input-start', toolCallId: id, toolName: 'bash' })
    },
    run: () => {
      const call = calls[count % Math.max(1, calls.length)]
      if (call !== undefined) advance(call)
    },
    step: () => {
      endAll()
      frames.push({ type: 'start-step' })
    },
    commit: () => frames.push({ type: 'data-commit', id: 'm1:commit', data: { count: count++ } }),
    source: () => frames.push({ type: 'source-url', sourceId: `s${count++}`, url: 'https://example.com' }),
    metadata: () =>
      frames.push({ type: 'message-metadata', messageMetadata: { count: count++, [`at-${count}`]: [count] } }),
  }
  const openText = (kind: string): void => {
    const id = `${kind}_${count++}`
    texts.push({ id, kind })
    frames.push({ type: `${kind}-start`, id })
  }
  const advance = (call: { id: string; stage: number }): void => {
    const { id } = call
    const stages: Frame[] = [
      { type: 'tool-input-delta', toolCallId: id, inputTextDelta: '{"command":' },
      { type: 'tool-input-available', toolCallId: id, toolName: 'bash', input: { command: 'ls' } },
      { type: 'tool-output-available', toolCallId: id, output: { so: 'far' }, preliminary: true },
      { type: 'tool-output-available', toolCallId: id, output: { success: true } },
    ]
    const frame = stages[call.stage++]
    if (frame !== undefined) frames.push(frame)
    if (call.stage === stages.length) calls = calls.filter((next) => next !== call)
  }
  for (const next of actions) {
    const part = texts.at(-1)
    if (next.do !== 'delta') steps[next.do]?.()
    else if (part !== undefined) frames.push({ type: `${part.kind}-delta`, id: part.id, delta: next.text })
  }
  return frames
}

const log = fc.array(action, { maxLength: 40 }).map(write)
const stopTurn = (frames: Frame[]): Frame[] => [
  ...frames,
  ...closingFrames(open(frames), { toolError: 'Cancelled' }),
  { type: 'finish', finishReason: 'other', messageMetadata: { endReason: 'stopped' } },
]

describe('folding frames', () => {
  it('produces the stored message of a turn with a tool call and a commit', () => {
    expect(
      fold([
        { type: 'start', messageId: 'm1' },
        { type: 'start-step' },
        { type: 'tool-input-start', toolCallId: 'c', toolName: 'bash' },
        { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{"command":"ls"}' },
        { type: 'tool-input-available', toolCallId: 'c', toolName: 'bash', input: { command: 'ls' } },
        { type: 'message-metadata', messageMetadata: { runId: 'r', lastStepFinishReason: 'tool-calls' } },
        { type: 'tool-output-available', toolCallId: 'c', output: { success: true } },
        { type: 'finish-step' },
        { type: 'start-step' },
        { type: 'text-start', id: 'txt_1_1_0' },
        { type: 'text-delta', id: 'txt_1_1_0', delta: 'Re' },
        { type: 'text-delta', id: 'txt_1_1_0', delta: 'ady' },
        { type: 'text-end', id: 'txt_1_1_0' },
        { type: 'message-metadata', messageMetadata: { lastStepFinishReason: 'stop' } },
        { type: 'finish-step' },
        { type: 'data-commit', id: 'm1:commit', data: { status: 'pending' } },
        { type: 'data-commit', id: 'm1:commit', data: { status: 'success' } },
        { type: 'finish', finishReason: 'stop', messageMetadata: { endReason: 'natural' } },
      ]),
    ).toEqual({
      parts: [
        { type: 'step-start' },
        {
          type: 'tool-bash',
          toolCallId: 'c',
          state: 'output-available',
          input: { command: 'ls' },
          output: { success: true },
        },
        { type: 'step-start' },
        { type: 'text', text: 'Ready', state: 'done' },
        { type: 'data-commit', id: 'm1:commit', data: { status: 'success' } },
      ],
      metadata: { runId: 'r', lastStepFinishReason: 'stop', endReason: 'natural' },
    })
  })

  it('drops retracted frames', () => {
    const { parts } = fold([
      { type: 'start', messageId: 'm1' },
      { type: 'start-step' },
      { type: 'text-start', id: 'txt_0_1_0' },
      { type: 'text-delta', id: 'txt_0_1_0', delta: 'Your next show is on' },
      { type: 'text-end', id: 'txt_0_1_0' },
      { type: 'finish-step' },
      { type: 'data-retract', id: 'r:0:1', data: { step: 0, attempt: 1, fromIndex: 1, toIndex: 5 }, transient: true },
      { type: 'start-step' },
      { type: 'text-start', id: 'txt_0_2_0' },
      { type: 'text-delta', id: 'txt_0_2_0', delta: 'The next show is on 12 March.' },
      { type: 'text-end', id: 'txt_0_2_0' },
    ])
    expect(parts).toEqual([
      { type: 'step-start' },
      { type: 'text', text: 'The next show is on 12 March.', state: 'done' },
    ])
  })

  it('keeps the input of a rejected call, and vendor metadata', () => {
    const { parts } = fold([
      { type: 'tool-input-start', toolCallId: 'c', toolName: 'bash', providerMetadata: { v: { a: 1 } } },
      { type: 'tool-input-error', toolCallId: 'c', toolName: 'bash', input: { command: 42 }, errorText: 'no' },
      { type: 'reasoning-start', id: 'r', providerMetadata: { v: { a: 1 } } },
      { type: 'reasoning-end', id: 'r', providerMetadata: { v: { signature: 'x' } } },
    ])
    expect(parts).toEqual([
      {
        type: 'tool-bash',
        toolCallId: 'c',
        state: 'output-error',
        input: { command: 42 },
        errorText: 'no',
        callProviderMetadata: { v: { a: 1 } },
      },
      { type: 'reasoning', text: '', state: 'done', providerMetadata: { v: { signature: 'x' } } },
    ])
  })

  it('drops errors, aborts and transient data', () => {
    const { parts } = fold([
      { type: 'error', errorText: 'The model call failed' },
      { type: 'abort', reason: 'user' },
      { type: 'data-note', data: {}, transient: true },
    ])
    expect(parts).toEqual([])
  })

  it('does not change the frames', () => {
    fc.assert(
      fc.property(log, (frames) => {
        const before = JSON.stringify(frames)
        fold(frames)
        open(frames)
        expect(JSON.stringify(frames)).toBe(before)
      }),
    )
  })

  it('produces the message of the AI SDK client for every turn without a retraction', async () => {
    await fc.assert(
      fc.asyncProperty(log, async (frames) => {
        const whole = stopTurn(frames)
        expect(fold(whole)).toEqual(await clientMessage(whole))
      }),
      { numRuns: 60 },
    )
  })

  it('produces the message of the remaining frames if an attempt is retracted', () => {
    fc.assert(
      fc.property(log, log, (abandoned, kept) => {
        const first = [...abandoned, ...closingFrames(open(abandoned), { toolError: 'Retracted' })]
        const data = { fromIndex: 0, toIndex: first.length - 1 }
        const retract = { type: 'data-retract', id: 'r', data, transient: true }
        expect(fold([...first, retract, ...kept])).toEqual(fold(kept))
        expect(open([...first, retract, ...kept])).toEqual(open(kept))
      }),
    )
  })
})

describe('closing open parts', () => {
  it('ends texts, then calls, then the step', () => {
    const frames: Frame[] = [
      { type: 'start-step' },
      { type: 'tool-input-start', toolCallId: 'a', toolName: 'bash' },
      { type: 'text-start', id: 't' },
      { type: 'reasoning-start', id: 'r' },
      { type: 'tool-input-available', toolCallId: 'b', toolName: 'task', input: {} },
      { type: 'tool-output-available', toolCallId: 'b', output: {}, preliminary: true },
    ]
    expect(closingFrames(open(frames), { toolError: 'Cancelled' })).toEqual([
      { type: 'text-end', id: 't' },
      { type: 'reasoning-end', id: 'r' },
      { type: 'tool-input-available', toolCallId: 'a', toolName: 'bash', input: {} },
      { type: 'tool-output-error', toolCallId: 'a', errorText: 'Cancelled' },
      { type: 'tool-output-error', toolCallId: 'b', errorText: 'Cancelled' },
      { type: 'finish-step' },
    ])
  })

  it('leaves a question open only for a turn that waits for the user', () => {
    const frames: Frame[] = [
      { type: 'start-step' },
      { type: 'tool-input-available', toolCallId: 'q', toolName: 'ask_user_question', input: {} },
    ]
    const closings = closingFrames(open(frames), { toolError: 'Interrupted', keepQuestions: true })
    expect(closings).toEqual([{ type: 'finish-step' }])
    expect(closingFrames(open(frames), { toolError: 'Cancelled' })).toEqual([
      { type: 'tool-output-error', toolCallId: 'q', errorText: 'Cancelled' },
      { type: 'finish-step' },
    ])
  })

  it('leaves nothing open after any prefix of any log', () => {
    fc.assert(
      fc.property(log, fc.nat(), (frames, cut) => {
        const prefix = frames.slice(0, (cut % frames.length) + 1)
        const whole = [...prefix, ...closingFrames(open(prefix), { toolError: 'Cancelled' })]
        expect(open(whole)).toEqual({ texts: [], toolCalls: [], isStepOpen: false })
        const states = fold(whole).parts.map((part) => part['state'])
        expect(states).not.toContain('streaming')
        expect(states).not.toContain('input-streaming')
        expect(states).not.toContain('input-available')
        expect(fold(whole).parts.some((part) => part['preliminary'] === true)).toBe(false)
      }),
    )
  })
})
