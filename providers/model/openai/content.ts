import { ModelError } from '../index.ts'
import { isObject, textAt } from './json.ts'

/** A piece of model output. `blocks` marks reasoning that arrived as a block of the content. */
export type ContentPiece = { kind: 'text' | 'reasoning'; text: string; blocks?: true }

/** Block types without model output. They cite a text that is sent separately. */
const ignoredTypes = new Set(['reference', 'citation'])

/**
 * Returns the text in the `content` of a delta: a string, a block, or a list of blocks. Throws `ModelError` for a block of
 * another shape, whose text would be lost.
 */
export function readContent(content: unknown): ContentPiece[] {
  if (content === undefined || content === null || content === '') return []
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  return (Array.isArray(content) ? (content as unknown[]) : [content]).flatMap(readBlock)
}

function readBlock(block: unknown): ContentPiece[] {
  if (typeof block === 'string') return readContent(block)
  if (!isObject(block)) throw unknownTypeError(block === null ? 'null' : typeof block)
  const type = textAt(block, 'type')
  if (type !== undefined && ignoredTypes.has(type)) return []
  const text = readText(block['text'] ?? block['refusal'])
  if (text !== undefined && (type === undefined || /^(?:text|output_text|refusal)$/.test(type)))
    return toPieces('text', text)
  const thought = readText(block['thinking'] ?? block['reasoning'] ?? block['text'])
  if (thought !== undefined && type !== undefined && /^(?:thinking|reasoning)$/.test(type))
    return toPieces('reasoning', thought)
  throw unknownTypeError(type ?? Object.keys(block).join(', '))
}

function toPieces(kind: ContentPiece['kind'], text: string): ContentPiece[] {
  return text === '' ? [] : [{ kind, text, ...(kind === 'reasoning' && { blocks: true as const }) }]
}

/** Returns a string, or the joined texts of nested blocks; undefined for other values. */
function readText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return undefined
  const texts = value.map((item: unknown) => (isObject(item) ? readText(item['text']) : readText(item)))
  return texts.every((text) => text !== undefined) ? texts.join('') : undefined
}

function unknownTypeError(name: string): ModelError {
  return new ModelError(`the model provider sent content of an unknown type: ${name.slice(0, 100)}`, {
    retryable: false,
  })
}
