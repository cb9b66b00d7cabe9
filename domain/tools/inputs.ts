import { JsonTooComplexError, parseJson } from '../fields/json.ts'
import { storableJson, storableText } from '../fields/storable.ts'

/** Result of validating an input against a tool's schema. A valid input includes the schema's defaults. */
export type CheckedInput = { ok: true; input: unknown } | { ok: false; error: string }
/** Validates an input. Returns undefined if there is no tool of this name. */
export type CheckInput = (toolName: string, input: unknown) => CheckedInput | undefined

/** Maximum nesting of an input. Deeper inputs can be neither stored nor forwarded. */
const maxDepth = 100

/** Parses the input of a call and validates it against its tool. `input` is in storable form. */
export function checkToolInput(
  toolName: string,
  text: string,
  checkInput: CheckInput,
): CheckedInput & { input: unknown } {
  const parsed = parseInput(text)
  const input = parsed.ok ? storableJson(parsed.value) : storableText(text)
  const result = checkInput(toolName, input)
  if (result === undefined) return { ok: false, input, error: `There is no tool named ${toolName}` }
  if (!parsed.ok) return { ok: false, input, error: parsed.error }
  return result.ok ? result : { ok: false, input, error: storableText(result.error) }
}

function parseInput(text: string): { ok: true; value: unknown } | { ok: false; error: string } {
  if (text.trim() === '') return { ok: true, value: {} }
  try {
    return { ok: true, value: parseJson(text, { maxDepth }) }
  } catch (error) {
    return {
      ok: false,
      error: error instanceof JsonTooComplexError ? `The input ${error.message}` : 'The input is not valid JSON',
    }
  }
}
