import { ModelError } from '../index.ts'
import { isObject, textAt, type Json } from './json.ts'

/**
 * Members in which servers send reasoning that must be sent back unchanged: signed, encrypted or summarized. OpenRouter and
 * the Vercel gateway use the first member, LiteLLM the second.
 */
const detailFields = ['reasoning_details', 'thinking_blocks'] as const

const maxCharacters = 4 * 1024 * 1024
const textFields = ['text', 'thinking', 'summary'] as const

/** Collects the reasoning blocks of one response and joins the pieces of each block. */
export class ReasoningDetails {
  readonly #blocks: Json[] = []
  #field: string | undefined
  #characters = 0

  /** Adds the pieces of a delta. Returns true if there are any. */
  read(delta: Json): boolean {
    const field = detailFields.find((name) => Array.isArray(delta[name]) && (delta[name] as unknown[]).length > 0)
    if (field === undefined) return false
    this.#field ??= field
    for (const piece of delta[field] as unknown[]) if (isObject(piece)) this.#add(piece)
    return true
  }

  /** Removes and returns the collected blocks; undefined if there are none. */
  takeBlocks(): { detailsField: string; details: Json[] } | undefined {
    if (this.#field === undefined || this.#blocks.length === 0) return undefined
    return { detailsField: this.#field, details: this.#blocks.splice(0) }
  }

  #add(piece: Json): void {
    this.#characters += JSON.stringify(piece).length
    if (this.#characters > maxCharacters)
      throw new ModelError('the reasoning of the model exceeds its limit', { retryable: false })
    const last = this.#blocks.at(-1)
    if (last !== undefined && isContinuation(last, piece)) appendPiece(last, piece)
    else this.#blocks.push({ ...piece })
  }
}

/** True if `piece` continues the block `last`. A signature ends a block, and encrypted data is a block on its own. */
function isContinuation(last: Json, piece: Json): boolean {
  const isOpen = textAt(last, 'signature') === undefined && textAt(last, 'data') === undefined
  return isOpen && last['type'] === piece['type'] && last['index'] === piece['index']
}

function appendPiece(block: Json, piece: Json): void {
  for (const [name, value] of Object.entries(piece)) {
    const isText = (textFields as readonly string[]).includes(name) && typeof value === 'string'
    if (isText) block[name] = `${textAt(block, name) ?? ''}${value}`
    else if (value !== null && value !== undefined) block[name] = value
  }
}
