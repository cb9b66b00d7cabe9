import type { LanguageModelV3StreamPart, LanguageModelV3ToolCall, SharedV3ProviderMetadata } from '@ai-sdk/provider'
import { splitSurrogate, storableJson, storableText } from '../fields/storable.ts'
import { checkToolInput, type CheckInput } from '../tools/inputs.ts'
import { reportedCost, toUsage, type Usage } from '../credits/usage.ts'

/** Event of a run's log, in the format that clients receive. */
export type Frame = { type: string; [key: string]: unknown }

type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other'

type ToolCall = {
  toolCallId: string
  toolName: string
  input: unknown
  /** Set if the log already contains an error frame for the call, so that it must not run. */
  invalid?: true
}

/** Result of one model call. */
export type ModelOutcome = {
  finishReason: FinishReason
  rawFinishReason?: string
  /** True if the output contains tool calls, whose results another model call must process. */
  goesOn: boolean
  usage: Usage
  /** Cost in USD that the gateway reports. */
  costUsd?: number
  toolCalls: ToolCall[]
}

/** Thrown if the vendor's stream reports a failure or ends without a finish part. */
export class ModelStreamError extends Error {
  override readonly name = 'ModelStreamError'
}

export type Framer = {
  /** Converts one part to frames. Throws `ModelStreamError` for an error part of the vendor. */
  push(part: LanguageModelV3StreamPart): Frame[]
  /** Closes the open parts. Throws `ModelStreamError` if there was no finish part. */
  end(): { frames: Frame[]; outcome: ModelOutcome }
}

/** Maximum tool calls of one step. Other calls get an error that the model can read. */
export const maxToolCalls = 64
const tooManyCallsError = `A step can have at most ${maxToolCalls} tool calls; repeat this call in a later step`

const truncatedInputError = 'The output limit was reached before this call was complete; repeat it with a shorter input'

type Finish = Extract<LanguageModelV3StreamPart, { type: 'finish' }>
type TextKind = 'text' | 'reasoning'
type OpenText = { id: string; half: string }
type OpenInput = { toolCallId: string; toolName: string; text: string }

/**
 * Converts the parts of one model call to the frames of one attempt. Replaces the vendor's ids, validates inputs and closes all
 * parts. The caller adds `start-step`, `message-metadata` and `finish-step`.
 */
export function createFramer(options: {
  step: number
  /** Number of the attempt, from 1; 0 for a head start. */
  attempt: number
  newToolCallId: () => string
  checkInput: CheckInput
}): Framer {
  const { step, attempt, newToolCallId, checkInput } = options
  /** Open parts by the vendor's id, in the order of their start. `half`: an unpaired surrogate at the end of the last delta. */
  const openTexts = { text: new Map<string, OpenText>(), reasoning: new Map<string, OpenText>() }
  const counts = { text: 0, reasoning: 0 }
  const inputs = new Map<string, OpenInput>()
  const toolCalls: ToolCall[] = []
  /** Ids of calls that the vendor executes, which are neither logged nor executed. */
  const providerCalls = new Set<string>()
  let finish: Finish | undefined

  const start = (kind: TextKind, vendorId: string, metadata?: SharedV3ProviderMetadata): Frame[] => {
    const frames = end(kind, vendorId)
    const id = `${kind === 'text' ? 'txt' : 'rsn'}_${step}_${attempt}_${counts[kind]++}`
    openTexts[kind].set(vendorId, { id, half: '' })
    return [...frames, { type: `${kind}-start`, id, ...withMetadata(metadata) }]
  }

  const delta = (kind: TextKind, vendorId: string, text: string, metadata?: SharedV3ProviderMetadata): Frame[] => {
    if (text === '' && metadata === undefined) return []
    const frames = openTexts[kind].has(vendorId) ? [] : start(kind, vendorId)
    const part = openTexts[kind].get(vendorId)
    if (part === undefined) return frames
    const [whole, half] = splitSurrogate(part.half + text)
    part.half = half
    if (whole === '' && metadata === undefined) return frames
    return [...frames, { type: `${kind}-delta`, id: part.id, delta: storableText(whole), ...withMetadata(metadata) }]
  }

  const end = (kind: TextKind, vendorId: string, metadata?: SharedV3ProviderMetadata): Frame[] => {
    const part = openTexts[kind].get(vendorId)
    if (part === undefined) return []
    openTexts[kind].delete(vendorId)
    const { id, half } = part
    return [
      ...(half === '' ? [] : [{ type: `${kind}-delta`, id, delta: storableText(half) }]),
      { type: `${kind}-end`, id, ...withMetadata(metadata) },
    ]
  }

  const startInput = (part: Extract<LanguageModelV3StreamPart, { type: 'tool-input-start' }>): Frame[] => {
    if (part.providerExecuted === true) {
      providerCalls.add(part.id)
      return []
    }
    const frames = inputs.has(part.id) ? abandonInput(part.id) : []
    const toolCallId = newToolCallId()
    const toolName = storableText(part.toolName)
    inputs.set(part.id, { toolCallId, toolName, text: '' })
    return [...frames, { type: 'tool-input-start', toolCallId, toolName, ...withMetadata(part.providerMetadata) }]
  }

  const inputDelta = (vendorId: string, text: string): Frame[] => {
    const input = inputs.get(vendorId)
    if (input === undefined || text === '') return []
    input.text += text
    return [{ type: 'tool-input-delta', toolCallId: input.toolCallId, inputTextDelta: storableText(text) }]
  }

  const call = (part: LanguageModelV3ToolCall): Frame[] => {
    if (part.providerExecuted === true || providerCalls.has(part.toolCallId)) return []
    const toolCallId = inputs.get(part.toolCallId)?.toolCallId ?? newToolCallId()
    inputs.delete(part.toolCallId)
    const toolName = storableText(part.toolName)
    const inputCheck =
      toolCalls.length < maxToolCalls
        ? checkToolInput(toolName, part.input, checkInput)
        : { ok: false as const, input: storableText(part.input), error: tooManyCallsError }
    const callFields = { toolCallId, toolName, input: inputCheck.input, ...withMetadata(part.providerMetadata) }
    toolCalls.push({ toolCallId, toolName, input: inputCheck.input, ...(!inputCheck.ok && { invalid: true as const }) })
    return inputCheck.ok
      ? [{ type: 'tool-input-available', ...callFields }]
      : [{ type: 'tool-input-error', ...callFields, errorText: inputCheck.error }]
  }

  /** Ends a call that has incomplete input with an error, so that the model can repeat it. */
  const abandonInput = (vendorId: string): Frame[] => {
    const input = inputs.get(vendorId)
    if (input === undefined) return []
    inputs.delete(vendorId)
    const { toolCallId, toolName } = input
    const text = storableText(input.text)
    const errorText = finish?.finishReason.unified === 'length' ? truncatedInputError : 'The input is incomplete'
    toolCalls.push({ toolCallId, toolName, input: text, invalid: true })
    return [{ type: 'tool-input-error', toolCallId, toolName, input: text, errorText }]
  }

  const push = (part: LanguageModelV3StreamPart): Frame[] => {
    switch (part.type) {
      case 'text-start':
        return start('text', part.id, part.providerMetadata)
      case 'text-delta':
        return delta('text', part.id, part.delta, part.providerMetadata)
      case 'text-end':
        return end('text', part.id, part.providerMetadata)
      case 'reasoning-start':
        return start('reasoning', part.id, part.providerMetadata)
      case 'reasoning-delta':
        return delta('reasoning', part.id, part.delta, part.providerMetadata)
      case 'reasoning-end':
        return end('reasoning', part.id, part.providerMetadata)
      case 'tool-input-start':
        return startInput(part)
      case 'tool-input-delta':
        return inputDelta(part.id, part.delta)
      case 'tool-call':
        return call(part)
      case 'source':
      case 'file':
        return [toContentFrame(part)]
      case 'finish':
        finish ??= part
        return []
      case 'error':
        throw new ModelStreamError('the model stream reported an error', { cause: part.error })
      case 'tool-input-end':
      case 'tool-result':
      case 'tool-approval-request':
      case 'stream-start':
      case 'response-metadata':
      case 'raw':
        return []
      default:
        return part satisfies never
    }
  }

  const close = (): Frame[] => [
    ...[...openTexts.text.keys()].flatMap((id) => end('text', id)),
    ...[...openTexts.reasoning.keys()].flatMap((id) => end('reasoning', id)),
    ...[...inputs.keys()].flatMap(abandonInput),
  ]

  return {
    push,
    end: () => {
      if (finish === undefined) throw new ModelStreamError('the model stream ended without a finish part')
      const frames = close()
      const costUsd = reportedCost(finish.providerMetadata)
      const { raw, unified } = finish.finishReason
      return {
        frames,
        outcome: {
          finishReason: correctFinishReason(unified, toolCalls.length),
          goesOn: toolCalls.length > 0 && executableReasons.has(unified),
          ...(raw !== undefined && { rawFinishReason: storableText(raw) }),
          usage: toUsage(finish.usage),
          ...(costUsd !== undefined && { costUsd }),
          toolCalls,
        },
      }
    },
  }
}

/** Overhead of a text, reasoning part or tool call in the log and the store, in characters, counted when it starts. */
const overheadPerPart = 100

/** Returns the characters by which a part counts toward the output limit of a model call. */
export function weighPart(part: LanguageModelV3StreamPart): number {
  if ('delta' in part) return part.delta.length
  if (part.type === 'tool-input-start') return overheadPerPart + part.toolName.length
  return part.type === 'text-start' || part.type === 'reasoning-start' ? overheadPerPart : 0
}

const deltaMember: Readonly<Record<string, string>> = {
  'text-delta': 'delta',
  'reasoning-delta': 'delta',
  'tool-input-delta': 'inputTextDelta',
}

/** Maximum characters of a joined delta, because a client receives a frame only when it is complete. */
const maxJoinedCharacters = 16 * 1024

/**
 * Appends a delta to the preceding delta of the same part, which it modifies. Returns false if the frames cannot be joined or
 * the result would be too large.
 */
export function extendDelta(last: Frame | undefined, next: Frame): boolean {
  const member = deltaMember[next.type]
  if (member === undefined || last === undefined || last.type !== next.type) return false
  if (last['id'] !== next['id'] || last['toolCallId'] !== next['toolCallId']) return false
  const before = String(last[member])
  const after = String(next[member])
  if (before.length + after.length > maxJoinedCharacters) return false
  last[member] = before + after
  if (next['providerMetadata'] !== undefined) last['providerMetadata'] = next['providerMetadata']
  return true
}

/** Joins consecutive deltas of one part. Other frames are unchanged. */
export function joinDeltas(frames: readonly Frame[]): Frame[] {
  const joinedFrames: Frame[] = []
  for (const frame of frames) if (!extendDelta(joinedFrames.at(-1), frame)) joinedFrames.push({ ...frame })
  return joinedFrames
}

function withMetadata(metadata: SharedV3ProviderMetadata | undefined): { providerMetadata?: unknown } {
  return metadata === undefined ? {} : { providerMetadata: storableJson(metadata) }
}

function toContentFrame(part: Extract<LanguageModelV3StreamPart, { type: 'source' | 'file' }>): Frame {
  const metadata = withMetadata(part.providerMetadata)
  if (part.type === 'file')
    return {
      type: 'file',
      mediaType: part.mediaType,
      url: `data:${part.mediaType};base64,${base64(part.data)}`,
      ...metadata,
    }
  const title = part.title === undefined ? {} : { title: storableText(part.title) }
  if (part.sourceType === 'url')
    return { type: 'source-url', sourceId: part.id, url: storableText(part.url), ...title, ...metadata }
  const filename = part.filename === undefined ? {} : { filename: storableText(part.filename) }
  return { type: 'source-document', sourceId: part.id, mediaType: part.mediaType, ...title, ...filename, ...metadata }
}

function base64(data: string | Uint8Array): string {
  return typeof data === 'string' ? data : btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join(''))
}

/** Finish reasons after which tool calls are executed. After a content filter or an error, their results are not used. */
const executableReasons: ReadonlySet<FinishReason> = new Set(['tool-calls', 'stop', 'other', 'length'])

/** Corrects the finish reason by the number of calls, because vendors report different reasons for a step with calls. */
function correctFinishReason(reason: FinishReason, calls: number): FinishReason {
  if (calls > 0) return reason === 'stop' || reason === 'other' ? 'tool-calls' : reason
  return reason === 'tool-calls' ? 'stop' : reason
}
