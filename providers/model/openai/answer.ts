import { createParser, type EventSourceParser } from 'eventsource-parser'
import { parseJson } from '../../../domain/fields/json.ts'
import { ModelError, type ModelPart } from '../index.ts'
import { ChunkReader, type AnswerSource, type InvalidUsageReport } from './chunks.ts'
import { incompleteStreamError, protocolError, streamError } from '../errors.ts'

const maxEventLength = 16 * 1024 * 1024
/** Maximum number of lines that are not event fields. Some servers send them to keep a connection open. */
const maxStrayLines = 5000

/** Converts the text of one response to parts as it arrives. Throws `ModelError` if the response reports a failure. */
export class AnswerReader {
  /** `finished`: the finish reason has arrived. `ended`: the end marker has arrived. */
  state: 'open' | 'finished' | 'ended' = 'open'
  readonly #chunks: ChunkReader
  readonly #secret: string | undefined
  readonly #parser: EventSourceParser
  #hasText = false
  #strayLines = 0
  #parts: ModelPart[] = []
  #failure: ModelError | undefined

  constructor(source: AnswerSource, secret: string | undefined, onInvalidUsage: InvalidUsageReport = () => {}) {
    this.#chunks = new ChunkReader(source, onInvalidUsage)
    this.#secret = secret
    this.#parser = createParser({
      maxBufferSize: maxEventLength,
      onEvent: (event) => this.#read(event.data),
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded' || ++this.#strayLines > maxStrayLines) this.#fail(protocolError())
      },
    })
  }

  feed(text: string): ModelPart[] {
    // The parser does not recognize a byte order mark in text, and would treat it as part of a field name.
    this.#parser.feed(this.#hasText ? text : text.replace(/^\uFEFF/, ''))
    this.#hasText ||= text !== ''
    if (this.#failure !== undefined) throw this.#failure
    const parts = this.#parts
    this.#parts = []
    return parts
  }

  /** Ends the response and returns its last parts. Throws if the response is incomplete. */
  end(): ModelPart[] {
    // The last event may not end with an empty line.
    const lastParts = this.state === 'ended' ? [] : this.feed('\n\n')
    if (!this.#chunks.finished && !(this.state === 'ended' && this.#chunks.hasContent)) throw incompleteStreamError()
    return [...lastParts, ...this.#chunks.end()]
  }

  #fail(failure: ModelError): void {
    if (!this.#chunks.finished) this.#failure = failure
  }

  #read(data: string): void {
    if (this.state === 'ended' || this.#failure !== undefined) return
    if (data === '[DONE]') {
      this.state = 'ended'
      return
    }
    const chunk = parseChunk(data)
    if (chunk === undefined) this.#fail(protocolError())
    else if (chunk['error'] !== undefined && chunk['error'] !== null)
      this.#fail(streamError(chunk['error'], this.#secret))
    else this.#readChunk(chunk)
  }

  #readChunk(chunk: Record<string, unknown>): void {
    try {
      this.#parts.push(...this.#chunks.read(chunk))
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      this.#fail(error)
    }
    if (this.#chunks.finished) this.state = 'finished'
  }
}

function parseChunk(data: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(data)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
