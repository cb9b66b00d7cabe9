import { createHash } from 'node:crypto'
import { describeModel } from './sizes.ts'
import { ModelError, type ModelCall, type ModelPart, type ModelPort, type PartHandler } from './index.ts'
import { nextStep, type ScriptedCall, type ScriptedStep } from './local-script.ts'

const maxCountedPrompts = 1000
/** Number of words to send before the stream yields to the event loop. */
const wordsPerBurst = 64

type Pacer = () => Promise<void>

/** Creates the embedded `local/*` models, which run scripts without an account, a network or AI. */
export function createLocalModel(options: { wordsPerSecond: number; contextWindow: number }): ModelPort {
  const countFailure = createFailureCounter()

  async function* generate(call: ModelCall, signal: AbortSignal): AsyncGenerator<ModelPart> {
    signal.throwIfAborted()
    const step = nextStep(call.prompt, new Set(call.tools.map((tool) => tool.name)))
    const { failure } = step
    if (failure?.kind === 'bad-request')
      throw new ModelError('the scripted model rejects this request', { retryable: false })
    if (failure?.kind === 'fail' && (failure.times === undefined || countFailure(call, failure.times)))
      throw new ModelError('the scripted model fails as directed', { retryable: true })
    const pace = createPacer(options.wordsPerSecond, signal)
    yield { type: 'stream-start', warnings: [] }
    yield { type: 'response-metadata', modelId: call.modelId }
    yield* streamWords('reasoning', splitWords(step.think), pace)
    const words = splitWords(step.text)
    if (failure?.kind === 'stall' || (failure?.kind === 'cut' && countFailure(call, 1))) {
      const wordCount = failure.kind === 'cut' ? failure.words : 3
      for await (const part of streamWords('text', words.slice(0, wordCount), pace))
        if (part.type !== 'text-end') yield part
      if (failure.kind === 'stall') {
        await waitForAbort(signal)
        signal.throwIfAborted()
      }
      throw new ModelError('the scripted model stopped as directed', { retryable: true })
    }
    yield* streamWords('text', words, pace)
    for (const part of toToolCallParts(step.calls)) yield part
    yield buildFinishPart(call, step)
  }

  const stream = async (call: ModelCall, signal: AbortSignal, onPart: PartHandler): Promise<void> => {
    for await (const part of generate(call, signal)) await onPart(part)
  }

  return { stream, describe: () => Promise.resolve(describeModel(options.contextWindow)) }
}

/** Counts the simulated failures of each prompt; a retry sends the same prompt. */
function createFailureCounter() {
  const counts = new Map<string, number>()
  /** Counts a failure and returns true; after `times` failures of a prompt, returns false and resets the count. */
  return (call: ModelCall, times: number): boolean => {
    const key = hashCall(call)
    const count = counts.get(key) ?? 0
    counts.delete(key)
    if (count >= times) return false
    counts.set(key, count + 1)
    const oldest = counts.keys().next().value
    if (counts.size > maxCountedPrompts && oldest !== undefined) counts.delete(oldest)
    return true
  }
}

function hashCall(call: ModelCall): string {
  return createHash('sha256')
    .update(JSON.stringify([call.modelId, call.prompt]))
    .digest('base64')
}

/** Returns a function that waits until the next word is due. Due times count from the start, so that delays do not add up. */
function createPacer(wordsPerSecond: number, signal: AbortSignal) {
  const start = performance.now()
  let sent = 0
  return async (): Promise<void> => {
    signal.throwIfAborted()
    const waitMs = wordsPerSecond === 0 ? 0 : start + (sent * 1000) / wordsPerSecond - performance.now()
    sent++
    if (waitMs >= 1) await pause(waitMs, signal)
    else if (sent % wordsPerBurst === 0) await yieldToEventLoop()
    signal.throwIfAborted()
  }
}

/** Resolves after `ms`, or immediately when the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}

function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

async function* streamWords(
  kind: 'text' | 'reasoning',
  words: readonly string[],
  pace: Pacer,
): AsyncGenerator<ModelPart> {
  if (words.length === 0) return
  const id = `${kind}-0`
  yield { type: `${kind}-start`, id }
  for (const delta of words) {
    await pace()
    yield { type: `${kind}-delta`, id, delta }
  }
  yield { type: `${kind}-end`, id }
}

/** Splits a text into words, each with its leading space; the last word also has the trailing space. */
function splitWords(text: string): string[] {
  const trimmed = text.trimEnd()
  if (trimmed === '') return []
  const words = trimmed.split(/(?<=\S)(?=\s)/)
  return [...words.slice(0, -1), (words.at(-1) ?? '') + text.slice(trimmed.length)]
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

function* toToolCallParts(calls: readonly ScriptedCall[]): Generator<ModelPart> {
  for (const [index, { toolName, input }] of calls.entries()) {
    const id = `call-${index}`
    const text = typeof input === 'string' ? input : JSON.stringify(input)
    yield { type: 'tool-input-start', id, toolName }
    yield { type: 'tool-input-delta', id, delta: text }
    yield { type: 'tool-input-end', id }
    yield { type: 'tool-call', toolCallId: id, toolName, input: text }
  }
}

function buildFinishPart(call: ModelCall, step: ScriptedStep): ModelPart {
  const reasoning = estimateTokens(step.think.length)
  const text = estimateTokens(step.text.length + (step.calls.length > 0 ? JSON.stringify(step.calls).length : 0))
  const input = estimateTokens(JSON.stringify(call.prompt).length)
  const reason = step.calls.length > 0 ? 'tool-calls' : 'stop'
  return {
    type: 'finish',
    finishReason: { unified: reason, raw: reason },
    usage: {
      inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: text + reasoning, text, reasoning },
    },
  }
}

function estimateTokens(characters: number): number {
  return Math.ceil(characters / 4)
}
