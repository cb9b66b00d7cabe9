import type { Frame } from './frames.ts'
import type { MessagePart } from '../chat/messages.ts'
import { questionTool } from '../tools/turn-tools.ts'

/** Frame with its index in the log. */
export type IndexedFrame = { index: number; frame: Frame }

/** Builds a message by applying frames. The caller must omit retracted frames. */
export class Folding {
  readonly parts: MessagePart[] = []
  metadata: object = {}
  readonly #text = new Map<unknown, MessagePart>()
  readonly #tools = new Map<unknown, MessagePart>()

  apply(frame: Frame): void {
    switch (frame.type) {
      case 'text-start':
      case 'reasoning-start':
        this.#text.set(frame['id'], this.#add({ type: frame.type.slice(0, -6), text: '', state: 'streaming' }))
        this.#updateText(frame, '')
        break
      case 'text-delta':
      case 'reasoning-delta':
        this.#updateText(frame, String(frame['delta']))
        break
      case 'text-end':
      case 'reasoning-end':
        this.#updateText(frame, '')
        assign(this.#text.get(frame['id']) ?? { type: '' }, { state: 'done' })
        break
      case 'tool-input-start':
        this.#addOrUpdateTool(frame, { state: 'input-streaming', callProviderMetadata: frame['providerMetadata'] })
        break
      case 'tool-input-available':
        this.#addOrUpdateTool(frame, {
          state: 'input-available',
          input: frame['input'],
          ...(frame['providerMetadata'] !== undefined && { callProviderMetadata: frame['providerMetadata'] }),
        })
        break
      case 'tool-input-error':
        this.#addOrUpdateTool(frame, {
          state: 'output-error',
          input: frame['input'],
          errorText: frame['errorText'],
          ...(frame['providerMetadata'] !== undefined && { callProviderMetadata: frame['providerMetadata'] }),
        })
        break
      case 'tool-output-available':
        this.#updateTool(frame, {
          state: 'output-available',
          output: frame['output'],
          errorText: undefined,
          preliminary: frame['preliminary'],
        })
        break
      case 'tool-output-error':
        this.#updateTool(frame, {
          state: 'output-error',
          output: undefined,
          errorText: frame['errorText'],
          preliminary: undefined,
        })
        break
      case 'tool-approval-request':
        this.#updateTool(frame, { state: 'approval-requested', approval: { id: frame['approvalId'] } })
        break
      case 'tool-output-denied':
        this.#updateTool(frame, { state: 'output-denied' })
        break
      case 'start-step':
        this.#add({ type: 'step-start' })
        break
      case 'file':
      case 'source-url':
      case 'source-document':
        this.#add({ ...frame })
        break
      case 'start':
      case 'message-metadata':
      case 'finish':
        this.metadata = { ...this.metadata, ...readMetadata(frame) }
        break
      default:
        if (frame.type.startsWith('data-') && frame['transient'] !== true) this.#addOrUpdateData(frame)
    }
  }

  #add(part: MessagePart): MessagePart {
    this.parts.push(part)
    return part
  }

  #updateText(frame: Frame, delta: string): void {
    const part = this.#text.get(frame['id'])
    if (part === undefined) return
    if (delta !== '') part['text'] = String(part['text']) + delta
    if (frame['providerMetadata'] !== undefined) part['providerMetadata'] = frame['providerMetadata']
  }

  #addOrUpdateTool(frame: Frame, members: Record<string, unknown>): void {
    const toolCallId = frame['toolCallId']
    const part = this.#tools.get(toolCallId) ?? this.#add({ type: `tool-${String(frame['toolName'])}`, toolCallId })
    this.#tools.set(toolCallId, part)
    assign(part, members)
  }

  #updateTool(frame: Frame, members: Record<string, unknown>): void {
    const part = this.#tools.get(frame['toolCallId'])
    if (part !== undefined) assign(part, members)
  }

  #addOrUpdateData(frame: Frame): void {
    const { type, id, data } = frame
    const existing = id === undefined ? undefined : this.parts.find((part) => part.type === type && part['id'] === id)
    if (existing === undefined) this.#add({ type, ...(id !== undefined && { id }), data })
    else existing['data'] = data
  }
}

/** Builds the message of a run from its frames, without retracted, transient and run-related frames. */
export function foldFrames(frames: readonly IndexedFrame[]): { parts: MessagePart[]; metadata: object } {
  const folding = new Folding()
  for (const { frame } of removeRetracted(frames)) folding.apply(frame)
  return { parts: folding.parts, metadata: folding.metadata }
}

type OpenToolCall = { toolCallId: string; toolName: string; inputAvailable: boolean; asksApproval?: true }

/** Parts of a run that are open: started and not ended by a frame. */
export type OpenParts = {
  /** Open text and reasoning parts in the order of their start. */
  texts: { kind: 'text' | 'reasoning'; id: string }[]
  toolCalls: OpenToolCall[]
  isStepOpen: boolean
}

/** Finds the open parts. Ignores retracted frames. A preliminary output leaves its call open. */
export function openParts(frames: readonly IndexedFrame[]): OpenParts {
  const texts = new Map<string, 'text' | 'reasoning'>()
  const calls = new Map<string, OpenToolCall>()
  let isStepOpen = false
  for (const { frame } of removeRetracted(frames)) {
    const id = String(frame['id'])
    const toolCallId = String(frame['toolCallId'])
    switch (frame.type) {
      case 'start-step':
      case 'finish-step':
        isStepOpen = frame.type === 'start-step'
        break
      case 'text-start':
      case 'reasoning-start':
        texts.set(id, frame.type === 'text-start' ? 'text' : 'reasoning')
        break
      case 'text-end':
      case 'reasoning-end':
        texts.delete(id)
        break
      case 'tool-input-start':
      case 'tool-input-available':
        calls.set(toolCallId, {
          toolCallId,
          toolName: String(frame['toolName']),
          inputAvailable: frame.type === 'tool-input-available',
        })
        break
      case 'tool-approval-request': {
        const call = calls.get(toolCallId)
        if (call !== undefined) calls.set(toolCallId, { ...call, asksApproval: true })
        break
      }
      case 'tool-output-available':
        if (frame['preliminary'] !== true) calls.delete(toolCallId)
        break
      case 'tool-input-error':
      case 'tool-output-error':
      case 'tool-output-denied':
        calls.delete(toolCallId)
        break
      default:
    }
  }
  return {
    texts: [...texts].map(([id, kind]) => ({ kind, id })),
    toolCalls: [...calls.values()],
    isStepOpen,
  }
}

/** Builds the frames that close the open parts: texts, then tool calls, then the step. */
export function closingFrames(
  open: OpenParts,
  options: {
    /** `errorText` of the calls that are closed. */
    toolError: string
    /** True for a turn that awaits the user: asked questions and requested approvals stay open. */
    keepQuestions?: boolean
  },
): Frame[] {
  return [
    ...open.texts.map(({ kind, id }) => ({ type: `${kind}-end`, id })),
    ...open.toolCalls
      .filter((call) => !(options.keepQuestions === true && waitsForUser(call)))
      .flatMap(({ toolCallId, toolName, inputAvailable }) => [
        ...(inputAvailable ? [] : [{ type: 'tool-input-available', toolCallId, toolName, input: {} }]),
        { type: 'tool-output-error', toolCallId, errorText: options.toolError },
      ]),
    ...(open.isStepOpen ? [{ type: 'finish-step' }] : []),
  ]
}

/** Sets the defined fields and removes the undefined fields, because a stored part has no undefined fields. */
function assign(part: MessagePart, members: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(members))
    if (value === undefined) delete part[name]
    else part[name] = value
}

function readMetadata(frame: Frame): object {
  return typeof frame['messageMetadata'] === 'object' && frame['messageMetadata'] !== null
    ? frame['messageMetadata']
    : {}
}

/** Removes the frames that a later `data-retract` names. */
function removeRetracted(frames: readonly IndexedFrame[]): IndexedFrame[] {
  const ranges = frames
    .filter(({ frame }) => frame.type === 'data-retract')
    .map(({ frame }) => frame['data'] as { fromIndex: number; toIndex: number })
  if (ranges.length === 0) return [...frames]
  return frames.filter(({ index }) => !ranges.some(({ fromIndex, toIndex }) => index >= fromIndex && index <= toIndex))
}

function waitsForUser(call: OpenToolCall): boolean {
  return (call.toolName === questionTool && call.inputAvailable) || call.asksApproval === true
}
