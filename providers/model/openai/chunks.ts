import type { LanguageModelV3FinishReason, SharedV3ProviderMetadata } from '@ai-sdk/provider'
import { parseJson } from '../../../domain/fields/json.ts'
import type { ModelPart } from '../index.ts'
import { readContent, type ContentPiece } from './content.ts'
import { isObject, numberAt, objectAt, textAt, type Json } from './json.ts'
import { ReasoningDetails } from './reasoning.ts'
import { readReport } from './report.ts'

/** Adapter and vendor of a response. The data in `providerMetadata` is sent back only to the same adapter and vendor. */
export type AnswerSource = {
  adapter: string
  vendor?: string | undefined
  /** Returns the tool for a name on the wire. */
  toolName?: (wireName: string) => string
}

type CallState = {
  vendorId: string
  index: number | undefined
  id: string
  name: string
  text: string
  started: boolean
  /** Data that the server requires back with the call, such as a signature of its reasoning. */
  extra?: Json
}

const unknownName = 'unknown'
/** Maximum size of the arguments of calls whose name has not arrived. */
const maxUnnamedCharacters = 64 * 1024

const finishReasons: Readonly<Record<string, LanguageModelV3FinishReason['unified']>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content-filter',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  error: 'error',
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(parseJson(text))
  } catch {
    return false
  }
}

/** Returns the price of a call, from `usage.cost` or from the metadata of the gateway. */
function readPrice(...sources: (Json | undefined)[]): string | number | undefined {
  for (const container of sources) {
    const metadata = objectAt(container, 'provider_metadata') ?? objectAt(container, 'providerMetadata')
    const cost = objectAt(metadata, 'gateway')?.['cost'] ?? objectAt(container, 'usage')?.['cost']
    if (typeof cost === 'number' || (typeof cost === 'string' && cost !== '')) return cost
  }
  return undefined
}

/** Receives the invalid fields of a usage or price report. */
export type InvalidUsageReport = (fields: string[]) => void

/** Converts the chunks of one response to parts. */
export class ChunkReader {
  readonly #source: AnswerSource
  readonly #details = new ReasoningDetails()
  readonly #onInvalidUsage: InvalidUsageReport
  readonly #calls: CallState[] = []
  readonly #byIndex = new Map<number, CallState>()
  readonly #byVendorId = new Map<string, CallState>()
  #openPartState: { kind: 'text' | 'reasoning'; id: string; field?: string | undefined } | undefined
  #partCount = 0
  #unnamedCharacters = 0
  #hasMetadata = false
  #finish: { reason: string } | undefined
  #usage: Json | undefined
  #cost: string | number | undefined

  constructor(source: AnswerSource, onInvalidUsage: InvalidUsageReport) {
    this.#source = source
    this.#onInvalidUsage = onInvalidUsage
  }

  /** True once the finish reason has arrived. */
  get finished(): boolean {
    return this.#finish !== undefined
  }

  /** True if the response has any content. */
  get hasContent(): boolean {
    return this.#partCount > 0 || this.#calls.length > 0
  }

  read(chunk: Json): ModelPart[] {
    const out: ModelPart[] = []
    if (!this.#hasMetadata) this.#addMetadata(chunk, out)
    const choice: unknown = Array.isArray(chunk['choices']) ? chunk['choices'][0] : undefined
    const delta = objectAt(choice, 'delta') ?? objectAt(choice, 'message')
    this.#usage = objectAt(chunk, 'usage') ?? this.#usage
    this.#cost = readPrice(chunk, delta) ?? this.#cost
    if (this.#finish !== undefined) return out
    if (delta !== undefined) this.#readDelta(delta, out)
    const reason = isObject(choice) ? textAt(choice, 'finish_reason') : undefined
    if (reason !== undefined) this.#finish = { reason }
    return out
  }

  /** Ends the open parts and returns them with the finish part. */
  end(): ModelPart[] {
    const out: ModelPart[] = []
    this.#closePart(out)
    const raw = this.#finish?.reason
    const unified = finishReasons[raw ?? ''] ?? 'other'
    const truncatedCall = unified === 'length' ? this.#calls.at(-1) : undefined
    for (const call of this.#calls) {
      if (!call.started) out.push({ type: 'tool-input-start', id: call.id, toolName: this.#toolName(call) })
      out.push({ type: 'tool-input-end', id: call.id })
      // The output limit can truncate only the last call. The call stays open and gets an error as its result.
      if (call === truncatedCall && !isJsonObject(call.text)) continue
      out.push({
        type: 'tool-call',
        toolCallId: call.id,
        toolName: this.#toolName(call),
        input: call.text.trim() === '' ? '{}' : call.text,
        ...(call.extra !== undefined && this.#metadata({ extra: call.extra })),
      })
    }
    const { usage, cost, invalid } = readReport(this.#usage, this.#cost)
    if (invalid.length > 0) this.#onInvalidUsage(invalid)
    out.push({
      type: 'finish',
      finishReason: { unified, raw },
      usage,
      ...(cost !== undefined && { providerMetadata: { gateway: { cost } } }),
    })
    return out
  }

  #addMetadata(chunk: Json, out: ModelPart[]): void {
    const id = textAt(chunk, 'id')
    const modelId = textAt(chunk, 'model')
    const created = numberAt(chunk, 'created')
    if (id === undefined && modelId === undefined) return
    this.#hasMetadata = true
    out.push({
      type: 'response-metadata',
      ...(id !== undefined && { id }),
      ...(modelId !== undefined && { modelId }),
      ...(created !== undefined && { timestamp: new Date(created * 1000) }),
    })
  }

  #readDelta(delta: Json, out: ModelPart[]): void {
    const field = textAt(delta, 'reasoning_content') === undefined ? 'reasoning' : 'reasoning_content'
    const reasoning = textAt(delta, field)
    if (reasoning !== undefined) this.#addText({ kind: 'reasoning', text: reasoning }, out, field)
    // Reasoning that cannot be shown is stored in a separate part.
    if (this.#details.read(delta) && this.#openPartState?.kind !== 'reasoning') this.#openPart('reasoning', out)
    const content = readContent(delta['content'])
    for (const piece of content.length > 0 ? content : readContent(delta['refusal']))
      this.#addText(piece, out, piece.blocks === true ? 'content' : undefined)
    if (Array.isArray(delta['tool_calls']))
      for (const piece of delta['tool_calls'] as unknown[]) if (isObject(piece)) this.#readCall(piece, out)
  }

  #addText({ kind, text }: ContentPiece, out: ModelPart[], field?: string): void {
    const id = this.#openPartState?.kind === kind ? this.#openPartState.id : this.#openPart(kind, out, field)
    if (this.#openPartState !== undefined) this.#openPartState.field ??= field
    out.push({ type: `${kind}-delta`, id, delta: text })
  }

  #openPart(kind: ContentPiece['kind'], out: ModelPart[], field?: string): string {
    this.#closePart(out)
    const id = `${kind}-${this.#partCount++}`
    this.#openPartState = { kind, id, field }
    out.push({ type: `${kind}-start`, id, ...(field !== undefined && this.#metadata({ reasoningField: field })) })
    return id
  }

  #closePart(out: ModelPart[]): void {
    const open = this.#openPartState
    this.#openPartState = undefined
    if (open === undefined) return
    const details = open.kind === 'reasoning' ? this.#details.takeBlocks() : undefined
    const field = open.field === undefined ? {} : { reasoningField: open.field }
    out.push({ type: `${open.kind}-end`, id: open.id, ...(details && this.#metadata({ ...field, ...details })) })
  }

  #metadata(members: Json): { providerMetadata: SharedV3ProviderMetadata } {
    const { adapter, vendor } = this.#source
    const data = { ...(vendor !== undefined && { vendor }), ...members } as SharedV3ProviderMetadata[string]
    return { providerMetadata: { [adapter]: data } }
  }

  #readCall(piece: Json, out: ModelPart[]): void {
    const wireFunction = objectAt(piece, 'function')
    const call = this.#findCall(piece, wireFunction)
    call.name ||= textAt(wireFunction, 'name') ?? ''
    const extra = objectAt(piece, 'extra_content')
    if (extra !== undefined) call.extra = { ...call.extra, ...extra }
    const argumentsValue = wireFunction?.['arguments']
    const text =
      typeof argumentsValue === 'string'
        ? argumentsValue
        : isObject(argumentsValue)
          ? JSON.stringify(argumentsValue)
          : ''
    const pendingText = call.started ? text : call.text + text
    call.text += text
    if (call.name === '') {
      // Arguments of a call without a name are limited here, because the output limit does not cover them yet.
      this.#unnamedCharacters += text.length
      if (this.#unnamedCharacters <= maxUnnamedCharacters) return
      call.name = unknownName
    }
    if (!call.started) {
      this.#closePart(out)
      call.started = true
      out.push({ type: 'tool-input-start', id: call.id, toolName: this.#toolName(call) })
    }
    if (pendingText !== '') out.push({ type: 'tool-input-delta', id: call.id, delta: pendingText })
  }

  #toolName({ name }: CallState): string {
    return name === '' ? unknownName : (this.#source.toolName?.(name) ?? name)
  }

  /**
   * Returns the tool call that a piece continues. Some servers omit the index or the id, give several calls the same index, or
   * give calls with different indexes the same id.
   */
  #findCall(piece: Json, wireFunction: Json | undefined): CallState {
    const vendorId = textAt(piece, 'id')
    const index = numberAt(piece, 'index')
    const hasName = textAt(wireFunction, 'name') !== undefined
    const sameIdCall = vendorId === undefined ? undefined : this.#byVendorId.get(vendorId)
    const isSameCall = index === undefined || sameIdCall?.index === undefined || sameIdCall.index === index
    const sameId = isSameCall ? sameIdCall : undefined
    const existing =
      sameId ?? (index === undefined ? (hasName ? undefined : this.#calls.at(-1)) : this.#byIndex.get(index))
    const isAnotherCall =
      hasName && vendorId !== undefined && existing?.vendorId !== '' && existing?.vendorId !== vendorId
    if (existing !== undefined && !isAnotherCall) return existing
    // Vendor ids may be missing or repeated, so the id is derived from the position.
    const id = `call-${this.#calls.length}`
    const call: CallState = { vendorId: vendorId ?? '', index, id, name: '', text: '', started: false }
    this.#calls.push(call)
    if (vendorId !== undefined && sameIdCall === undefined) this.#byVendorId.set(vendorId, call)
    if (index !== undefined) this.#byIndex.set(index, call)
    return call
  }
}
